/** The source folders and what lies in them, for everything that builds or checks. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url))
export const sourceFolders = ['kernel', 'plugins', 'providers', 'config', 'test']
/** Built by Vite and not by the compiler. */
export const consoleFolder = 'console'

/** Paths of all files and folders below `folder` and itself, relative to `root`. */
export function* walk(folder, root = projectRoot) {
  yield folder
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* walk(path, root)
    else if (entry.isFile()) yield path
  }
}

/** Files of all source folders that pass. */
export function sourceFiles(passes) {
  return sourceFolders.flatMap((folder) => [...walk(folder)]).filter(passes)
}

/** Unix milliseconds of the newest change to a source; folders count, so a removed file does too. */
export function newestChange(folders = [...sourceFolders, consoleFolder]) {
  const single = ['package.json', 'package-lock.json', 'tsconfig.json']
  const all = [...single, ...folders.flatMap((folder) => [...walk(folder)])]
  return Math.max(...all.map((path) => statSync(join(projectRoot, path)).mtimeMs))
}
