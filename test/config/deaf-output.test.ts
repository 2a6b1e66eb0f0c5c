/** A process whose outputs nobody reads any more, as behind a pipe whose other end was closed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'

const faults = new URL('../../config/faults.js', import.meta.url).href

/** Writes as a log does, and sends how many faults were logged. */
const program = `
import { setImmediate as turn } from 'node:timers/promises'
import { surviveFaults } from ${JSON.stringify(faults)}
let logged = 0
const write = () => process.stdout.write('a line\\n')
const error = () => { logged += 1; write() }
surviveFaults({ debug() {}, info() {}, warn() {}, error }, () => {})
process.once('message', async () => {
  for (let line = 0; line < 200; line += 1) { write(); await turn() }
  process.send(logged, () => process.exit())
})
write()
`

t.test('lines that nobody reads are lost, and no fault that is logged again', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  t.teardown(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  await once(child.stdout!, 'close')
  const answer = once(child, 'message')
  child.send('go')
  const [logged] = await answer
  t.equal(logged, 0)
})
