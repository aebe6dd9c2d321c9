# Copies programs with the libraries they're linked with, and the few files of the system that they read, to a folder.
#   sh collect-image.sh FOLDER PROGRAM…
set -eu
target=$1
shift
mkdir -p "$target/usr/bin" "$target/usr/lib" "$target/etc" "$target/dev" "$target/proc" "$target/sys" "$target/tmp"
chmod 1777 "$target/tmp"
# As in Debian, where programs name /lib and /bin.
for folder in bin lib lib64 sbin; do ln -s "usr/${folder%64}" "$target/$folder"; done
ln -s bin "$target/usr/sbin"
ln -s lib "$target/usr/lib64"
cp -L /etc/passwd /etc/group /etc/nsswitch.conf "$target/etc/"
# Container engines put their own files over these.
touch "$target/etc/hosts" "$target/etc/resolv.conf" "$target/etc/hostname"
for program in "$@"; do
  path=$(command -v "$program")
  cp -L "$path" "$target/usr/bin/"
  # The loader itself has no arrow.
  ldd "$path" 2>/dev/null | sed -nE 's/^(.*=> )?[[:space:]]*(\/[^ ]+) \(.*/\2/p'
done | sort -u | while read -r library; do
  # Where Debian has it: /lib is /usr/lib, and the loader is in a folder of the architecture.
  place="$target/usr/lib/$(basename "$library")"
  case $library in */*-linux-gnu*/*) place="$target/usr/lib/${library#*/lib/}" ;; esac
  mkdir -p "$(dirname "$place")"
  cp -L "$library" "$place"
done
