"""Deployment files for tests, small and whole."""

from __future__ import annotations

from haversack.model import Role
from haversack.project.languages import language_of
from haversack.sources.protocol import TextFile
from haversack.units.redact import redact
from haversack.units.secret_files import mask_file

KUBERNETES = """\
# The shop.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: web
        image: registry.example.com/shop/web:1.4
        imagePullPolicy: IfNotPresent
        env:
        - name: DB_HOST
          value: db
        - name: DB_PASSWORD
          valueFrom:
            secretKeyRef:
              name: shop-db
              key: password
---
apiVersion: v1
kind: Secret
metadata:
  name: shop-db
type: Opaque
data:
  password: dHVsaXA=
  username: cm9zZQ==
"""

COMPOSE = """\
services:
  web:
    image: shop/web:1.4
    environment:
      - DB_HOST=db
      - DB_PASSWORD=tulip
    depends_on: [db]
    secrets:
      - signing
  db:
    image: postgres:16
    environment:
      POSTGRES_PASSWORD: tulip

volumes:
  data:
    driver: local
secrets:
  signing:
    file: ./signing.key
"""

WORKFLOW = """\
name: build
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make test
  publish:
    needs: test
    runs-on: ubuntu-latest
    env:
      TOKEN: ${{ secrets.REGISTRY_TOKEN }}
"""

STATE = """\
{
  "version": 4,
  "terraform_version": "1.9.0",
  "outputs": {
    "endpoint": {
      "value": "db.internal",
      "type": "string"
    },
    "admin": {
      "value": "tulip",
      "type": "string",
      "sensitive": true
    }
  },
  "resources": [
    {
      "mode": "managed",
      "type": "aws_db_instance",
      "name": "main",
      "instances": [
        {
          "attributes": {
            "id": "db-1",
            "password": "tulip"
          }
        }
      ]
    },
    {
      "mode": "data",
      "type": "aws_vpc",
      "name": "home",
      "instances": []
    }
  ]
}
"""


def text_file(path: str, text: str) -> TextFile:
    """The file as the reader gives it to a source."""
    lang = language_of(path, text[:200])
    return TextFile(
        path, redact(mask_file(path, text)).text, lang, Role.CONFIG, len(text), 1_700_000_000_000_000_000, "d"
    )
