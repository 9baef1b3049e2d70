# One image for the web server, the worker, the clock and the migration; docker-compose.yml runs it.
# PYTHON_IMAGE may name a digest as well: python:3.11.14-slim@sha256:DIGEST.
ARG PYTHON_IMAGE=python:3.11.14-slim
ARG NODE_IMAGE=node:24.11-slim

# The documentation site; what builds it stays here.
FROM ${PYTHON_IMAGE} AS help
WORKDIR /srv/crowdwright
COPY requirements-docs.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements-docs.txt
COPY pyproject.toml ARCHITECTURE.md CONTRIBUTING.md SECURITY.md ./
COPY config ./config
COPY annotation ./annotation
COPY writing ./writing
COPY judging ./judging
COPY analysis ./analysis
COPY templates ./templates
COPY locale ./locale
COPY static/icon.svg ./static/
COPY benchmarks/RESULTS.md ./benchmarks/
COPY docs ./docs
RUN sphinx-build -b dirhtml --quiet -d /tmp/doctrees docs build/help

# Scripts and style sheets of participants' pages, each in one file; what bundles them stays here.
FROM ${NODE_IMAGE} AS bundles
WORKDIR /srv/crowdwright
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY static ./static
RUN npm run bundle

FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    CROWDWRIGHT_VAR=/srv/crowdwright/var \
    STATIC_HASHED=1 \
    STATIC_ROOT=/srv/crowdwright/collected

WORKDIR /srv/crowdwright
# docker-compose.yml names the ids.
RUN groupadd --system --gid 999 crowdwright \
    && useradd --system --uid 999 --gid 999 --home-dir /srv/crowdwright --shell /usr/sbin/nologin crowdwright

# `manage.py backup` calls pg_dump, which must be as new as the server in docker-compose.yml.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/*

COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY manage.py LICENSE pyproject.toml ./
COPY config ./config
COPY annotation ./annotation
COPY writing ./writing
COPY judging ./judging
COPY analysis ./analysis
# Compiled here, since the user below can't write: a process that compiles starts seconds later.
RUN python -m compileall -q config annotation writing judging analysis
COPY templates ./templates
COPY locale ./locale
COPY static ./static
COPY --from=bundles /srv/crowdwright/build/static ./build/static
COPY --from=help /srv/crowdwright/build/help ./build/help

# These two keys end with this line: an image must carry no secret.
RUN SECRET_KEY=only-while-the-image-is-built-it-signs-nothing-at-all \
    PSEUDONYM_KEY=only-while-the-image-is-built-it-encrypts-nothing \
    python manage.py collectstatic --noinput \
    && mkdir backups var/metrics && chown -R crowdwright:crowdwright var backups

USER crowdwright
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "config.wsgi:application", "--host", "0.0.0.0", "--port", "8000", "--no-ws", "--workers", "2", "--blocking-threads", "4", "--blocking-threads-idle-timeout", "600", "--respawn-failed-workers"]
