/** Loaded into each worker: at SIGUSR2 it logs lines that are longer than what a pipe takes in one piece, many in each turn. */
import cluster from 'node:cluster'

const turns = 60
const linesATurn = 2

function write(left: number): void {
  for (let line = 0; line < linesATurn; line++) {
    process.emitWarning(`long ${left} ${line} ${String(process.pid).padEnd(9).repeat(800)}`)
  }
  if (left > 1) setTimeout(write, 5, left - 1)
}

if (cluster.isWorker) process.on('SIGUSR2', () => write(turns))
