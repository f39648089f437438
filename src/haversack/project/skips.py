"""Folders and files that are never a project's own text, told by name alone."""

from __future__ import annotations

from haversack.project.languages import words

# Not even counted: bookkeeping, not material that was left out. In a worktree `.git` is a file.
UNCOUNTED = frozenset((".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", "CVS"))

VENDORED = "vendored"
CACHE = "cache"
TRANSCRIPT = "transcript"
SKIPPED_FOLDERS = {
    **dict.fromkeys(
        words("node_modules bower_components jspm_packages .pnpm-store .yarn site-packages .eggs"), VENDORED
    ),
    **dict.fromkeys(
        words(
            "__pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .cache .ipynb_checkpoints .gradle "
            ".idea .vs .terraform .terragrunt-cache .next .nuxt .svelte-kit .parcel-cache .turbo .angular .dart_tool "
            ".sass-cache .nyc_output .direnv .haversack DerivedData __MACOSX"
        ),
        CACHE,
    ),
    ".specstory": TRANSCRIPT,
}
# Conversations are cut by who said what; the source that does so finds them itself.
TRANSCRIPTS = frozenset((".aider.chat.history.md", ".aider.llm.history", ".aider.input.history"))

# A file whose presence says what its whole folder is. The cache tag is a standard many tools follow.
MARKERS = {"pyvenv.cfg": VENDORED, "CACHEDIR.TAG": CACHE}
# Package managers' folders are called `vendor` like people's own; these files tell which it is (Go, Composer).
VENDOR_MARKERS = frozenset(("modules.txt", "autoload.php"))

MINIFIED_ENDINGS = (".min.js", ".min.mjs", ".min.css", ".js.map", ".mjs.map", ".css.map")

BINARY_EXTENSIONS = words(
    # pictures, sound, film, type
    "png jpg jpeg gif bmp ico icns webp tif tiff avif heic psd ai eps xcf raw mp3 wav flac ogg oga opus m4a aac aiff "
    "mid mp4 m4v mkv mov avi webm wmv flv mpg mpeg woff woff2 ttf otf eot ttc "
    # archives and packages
    "zip tar gz tgz bz2 tbz xz txz zst 7z rar lz4 lzma br jar war ear aar apk ipa whl egg gem nupkg deb rpm dmg iso "
    "img cab msi crate vsix "
    # compiled and linked
    "o a so dylib dll exe lib obj pdb pyc pyo pyd class dex elc beam wasm node ko bin elf hex rlib rmeta gcno gcda dtb "
    # documents nobody reads as text
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi sketch fig "
    # data and models
    "db sqlite sqlite3 mdb parquet arrow feather orc avro npy npz pkl pickle joblib h5 hdf5 mat pt pth ckpt "
    "safetensors onnx tflite pb gguf ggml msgpack tfrecord rds rda dat idx mo fst "
    # keys and signatures: nothing to read, much to lose
    "jks keystore p12 pfx der gpg kdbx"
)
