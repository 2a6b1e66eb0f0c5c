/** `npm run dev`: runs the program, and builds and starts it again after each change to a source. */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot, sourceFolders } from './sources.mjs'

/** Editors write a file in several steps; they count as one. */
const settleMs = 200
const program = fileURLToPath(new URL('start.mjs', import.meta.url))

let child = run()
let timer

for (const folder of sourceFolders) {
  watch(join(projectRoot, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(restart, settleMs)
  })
}

function run() {
  return spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
}

function restart() {
  const next = () => {
    child = run()
  }
  if (isOver(child)) return next()
  child.removeAllListeners('exit')
  child.once('exit', next)
  child.kill('SIGTERM')
}

function isOver({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (isOver(child)) process.exit()
    child.once('exit', () => process.exit())
    child.kill(signal)
  })
}
