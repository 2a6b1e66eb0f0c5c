/**
 * A gateway with the tests' task type, over the database at the address given, under the name given, so many milliseconds ahead of
 * the system's clock, until it is killed.
 */
import { builtInRoots } from '../../../../../config/built-in.js'
import { core } from '../../../../../config/core.js'
import { boot } from '../../../../../kernel/boot.js'
import { openDatabase } from '../../../../../kernel/store/database.js'
import { order } from '../../../../../plugins/stages/line.js'
import { silentLog } from '../../../../kit/database.js'
import { defaultEnvironment } from '../../../../kit/gateway.js'
import { shiftedClock } from '../../../../kit/shifted-clock.js'
import { taskTypeRoot } from '../../../../kit/task-upstream.js'

export type FromParent =
  | { readonly kind: 'round' | 'check' | 'idle' }
  | {
      readonly kind: 'notice'
      readonly taskId: string
      readonly secret: string
      readonly body: string
    }

export type FromChild =
  | { readonly kind: 'ready'; readonly url: string; readonly code: string | undefined }
  | { readonly kind: 'done'; readonly breaches: readonly unknown[] }

const [databaseUrl, nodeName = 'test', aheadMs] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog })
const clock = shiftedClock()
clock.advance(Number(aheadMs))
const gateway = await boot({
  environment: { ...defaultEnvironment, nodeName },
  roots: [...builtInRoots, taskTypeRoot],
  ...{ order, core, clock, database },
  log: silentLog,
  version: 'v0.0.0',
})
const tasks = gateway.service('tasks')
const send = (message: FromChild) => void process.send!(message)

async function done(message: FromParent): Promise<readonly unknown[]> {
  if (message.kind === 'check') {
    await gateway.idle()
    return gateway.service('ledger').check()
  }
  if (message.kind === 'idle') await gateway.idle()
  if (message.kind === 'round') await tasks.round()
  if (message.kind === 'notice') {
    const { taskId, secret, body } = message
    const callback = { method: 'POST', headers: {}, query: {}, body: Buffer.from(body) }
    await tasks.notice(taskId, secret, callback)
  }
  return []
}

// In the order they come: a parent waits for the replies in that order.
let before: Promise<unknown> = Promise.resolve()
process.on('message', (message: FromParent) => {
  const reply = done(message).catch((error: unknown) => [String(error)])
  before = Promise.all([before, reply]).then(([, breaches]) => send({ kind: 'done', breaches }))
})
send({ kind: 'ready', url: gateway.address, code: gateway.service('setup').code() })
