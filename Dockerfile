# The service for compose.yaml: stores are elsewhere, so this image holds no Neo4j and no jar.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY graphmem graphmem
COPY cypher cypher
COPY schema schema
RUN python -m venv /opt/graphmem \
 && /opt/graphmem/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt .

FROM python:3.12-slim
RUN groupadd --gid 10001 graphmem \
 && useradd --uid 10001 --gid graphmem --home-dir /var/lib/graphmem --no-create-home --shell /usr/sbin/nologin graphmem \
 && install --directory --mode 0700 --owner graphmem --group graphmem /var/lib/graphmem
COPY --from=build /opt/graphmem /opt/graphmem
ENV PATH=/opt/graphmem/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GRAPHMEM_HOME=/var/lib/graphmem \
    GRAPHMEM_HOST=0.0.0.0 \
    GRAPHMEM_PORT=8420
USER graphmem
VOLUME /var/lib/graphmem
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8420/ready', timeout=4)"]
CMD ["graphmem", "serve"]
