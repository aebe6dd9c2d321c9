#!/bin/sh
# Runs once, when Postgres starts with an empty volume: a role for the app that owns its database and has no other rights.
set -eu
psql --set ON_ERROR_STOP=1 --set "password=$DATABASE_PASSWORD" --username postgres --dbname postgres <<'SQL'
create role daylight login password :'password';
create database daylight owner daylight template template0 encoding 'UTF8' locale 'C.UTF-8';
SQL
