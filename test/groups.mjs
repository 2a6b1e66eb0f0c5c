/**
 * Which test files share a process. To start one and to load the gateway in it takes longer than most files do, so files
 * run one after another in few processes; those that look at the process itself, or change it, have one to themselves.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const filesMax = 6
/** Its memory, clock, environment and output; programs and threads started from here; the embedded database itself. */
const ofTheProcess =
  /\b(?:memoryUsage|performance|cpuUsage|process\.(?:env\b.* = |on\(|once\(|chdir|exitCode)|intercept\()|node:(?:child_process|cluster|worker_threads)|\bgc\(|\/kit\/(?:process|redis-server|turn)\.js|\/(?:scratch|tarball)\.js|store\/lite\//

/** Neighbours go to different processes: what takes long often lies in one folder. */
export function groupsOf(files, root) {
  const alone = files.filter((file) => ofTheProcess.test(readFileSync(resolve(root, file), 'utf8')))
  const others = files.filter((file) => !alone.includes(file))
  const groups = Array.from({ length: Math.ceil(others.length / filesMax) }, () => [])
  for (const [index, file] of others.entries()) groups[index % groups.length].push(file)
  return [...alone.map((file) => [file]), ...groups]
}
