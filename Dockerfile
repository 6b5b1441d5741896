# syntax=docker/dockerfile:1

# The dependencies of Stemma come from one lock file, those of its build from the other, both with
# hashes.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements.lock requirements.runtime.lock ./
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --require-hashes -r requirements.lock \
    && python -m venv /opt/stemma \
    && /opt/stemma/bin/pip install --require-hashes -r requirements.runtime.lock
COPY . .
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /dist . \
    && /opt/stemma/bin/pip install --no-deps /dist/*.whl \
    && /opt/stemma/bin/pip uninstall --yes pip \
    && /opt/stemma/bin/stemma --version

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin stemma \
    && install --directory --owner stemma /graph
COPY --from=build /opt/stemma /opt/stemma
ENV PATH=/opt/stemma/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
WORKDIR /home/stemma
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/ready', timeout=4)"]
ENTRYPOINT ["stemma"]
# Access is configured at run time: see docs/deployment.md.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
