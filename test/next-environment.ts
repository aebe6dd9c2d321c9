// As Next's server does before anything else of Next loads, which otherwise has no requests' storage.
import 'next/dist/server/node-environment-baseline';
