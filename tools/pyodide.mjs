// What runs in Pyodide: `npm install pyodide` in any folder, then there `node .../tools/pyodide.mjs`.
// Every module is compiled by its Python, which then imports the package; each extra is compared with its list of packages.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(resolve("here.js"));
const lock = JSON.parse(readFileSync(require.resolve("pyodide/pyodide-lock.json"), "utf8"));
const python = await require("pyodide").loadPyodide();
python.FS.mkdirTree("/project");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/project");
python.globals.set("offered", python.toPy(Object.fromEntries(Object.values(lock.packages).map((x) => [x.name, x.version]))));
console.log(python.runPython(String.raw`
import re, sys, tomllib
from pathlib import Path

sys.path.insert(0, "/project")
sys.dont_write_bytecode = True
modules = [path for folder in ("splitcrit", "proofs") for path in Path("/project", folder).rglob("*.py")]
for path in modules:
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
import splitcrit

project = tomllib.loads(Path("/project/pyproject.toml").read_text(encoding="utf-8"))["project"]

def lacks(wanted):
    name, least = re.match(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", wanted).groups()
    version = offered.get(name)
    number = lambda text: [int(x) for x in re.findall(r"\d+", text)]
    return "" if version and number(version) >= number(least) else f"{wanted} (has {version or 'none'})"

lines = [f"Python {sys.version.split()[0]}: {len(modules)} modules compile, splitcrit {splitcrit.__version__} is imported"]
for extra, packages in {"no extra": project["dependencies"], **project["optional-dependencies"]}.items():
    if extra != "all":
        lines.append(f"{extra}: " + ("; lacks ".join(["", *filter(None, map(lacks, packages))]).removeprefix("; ") or "complete"))
"\n".join(lines)
`));
