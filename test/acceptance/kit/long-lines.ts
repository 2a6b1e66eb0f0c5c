/** Loaded into each worker: has it log lines that are longer than what a pipe takes in one piece, many in each turn. */
import cluster from 'node:cluster'

const turns = 150
const linesATurn = 2

/** The runtime's own listener writes to standard error; the program's takes its place. */
const isLogging = () => process.rawListeners('warning').some(({ name }) => name !== 'onWarning')

function write(left: number): void {
  if (!isLogging()) {
    setTimeout(write, 5, left)
    return
  }
  for (let line = 0; line < linesATurn; line++) {
    process.emitWarning(`long ${left} ${line} ${String(process.pid).padEnd(9).repeat(800)}`)
  }
  if (left > 1) setTimeout(write, 10, left - 1)
}

if (cluster.isWorker) write(turns)
