# The site, the workers, and the programs that run beside them, in one image (docs/deploy/nas.md). Nothing is in it but
# Node, the build, ffmpeg, and what sandboxes ffmpeg.
#   docker build -t daylight .
# `npm run test:real -- image` follows these instructions without Docker.

FROM node:24-bookworm-slim AS site
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts, which would only download an ffmpeg and delete files that the image leaves out anyway.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN BUILD_STANDALONE=1 NEXT_TELEMETRY_DISABLED=1 npm run build
# Packages for hosts without a native ffmpeg.
RUN cd .next/standalone/node_modules && rm -rf @ffmpeg ffmpeg-static

# Debian's ffmpeg is linked with 240 MB of libraries. This is its source, with its security updates, without what
# plays, shows, streams, and records.
FROM debian:bookworm-slim AS ffmpeg
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources && apt-get update
RUN apt-get install -y --no-install-recommends build-essential dpkg-dev nasm pkg-config zlib1g-dev libdav1d-dev \
  libmp3lame-dev libopus-dev libx264-dev
RUN mkdir /src && cd /src && apt-get source ffmpeg && mv ffmpeg-*/ ffmpeg
RUN cd /src/ffmpeg && ./configure --enable-gpl --disable-autodetect --disable-debug --disable-doc --disable-ffplay \
  --disable-network --disable-devices --enable-zlib --enable-libdav1d --enable-libmp3lame --enable-libopus \
  --enable-libx264
RUN make -C /src/ffmpeg -j "$(nproc)" install

# What the image is made of, apart from the site: programs, and the libraries they're linked with.
FROM debian:bookworm-slim AS system
RUN apt-get update && apt-get install -y --no-install-recommends binutils bubblewrap libdav1d6 libmp3lame0 libopus0 \
  libx264-164 tini
COPY --from=site /usr/local/bin/node /usr/bin/
COPY --from=ffmpeg /usr/local/bin/ffmpeg /usr/local/bin/ffprobe /usr/bin/
RUN strip --strip-unneeded /usr/bin/node
RUN useradd --system --uid 10001 --home-dir /tmp --shell /bin/sh daylight
COPY --from=site /app/.next/standalone /app
COPY deploy/collect-image.sh /
# The tools are those that ffmpeg's sandbox uses (lib/video/media/sandbox-commands.ts).
RUN sh /collect-image.sh /image node ffmpeg ffprobe bwrap tini sh cat chroot ln ls mkdir mount nice prlimit setpriv \
  unshare $(find /app -name '*.node')

FROM scratch
COPY --from=system /image /
COPY --from=system /app /app
WORKDIR /app
# Without a limit, each of V8's compiler threads keeps memory of its own: 150 MB once speech has been recognized.
ENV NODE_ENV=production PORT=3000 HOSTNAME=0.0.0.0 PATH=/usr/bin MALLOC_ARENA_MAX=2
USER 10001:10001
EXPOSE 3000
# Whether the server answers at all. /api/health also checks services, which a restart of this container wouldn't fix.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/manifest.webmanifest`).then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]
# Passes signals on, and collects what a killed ffmpeg leaves behind.
ENTRYPOINT ["tini", "--", "node"]
CMD ["server.js"]
