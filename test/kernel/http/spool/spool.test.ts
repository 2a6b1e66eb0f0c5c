/** The spool as a whole: what it does where a file system is unusual, and how few of its operations run at once. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createSpool } from '../../../../kernel/http/spool/spool.js'
import { createTurns } from '../../../../kernel/http/spool/turns.js'
import { FakeClock } from '../../../kit/clock.js'
import { quietLog } from '../../../kit/fakes.js'
import { until } from '../harness.js'
import { disk, fault, folderFor } from './harness.js'

t.test('a file that could not lose its name loses it when it is closed', async (t) => {
  const folder = await folderFor(t)
  const used = disk()
  const { unlink } = used.files
  const refuses = async () => {
    throw fault('EBUSY')
  }
  used.files.unlink = refuses
  const options = { folder, bytesMax: 1024, clock: new FakeClock(), log: quietLog }
  const spool = createSpool({ ...options, files: used.files })
  const file = await spool.open()
  used.files.unlink = unlink
  const [own] = await readdir(folder)
  t.equal((await readdir(join(folder, own!))).length, 1)
  await Promise.all([file.close(), file.close()])
  t.strictSame(await readdir(join(folder, own!)), [])
})

t.test(
  'a stop waits for a disk that does not respond for some seconds, and no longer',
  async (t) => {
    const used = disk()
    const clock = new FakeClock()
    const options = { folder: await folderFor(t), bytesMax: 1024, clock, log: quietLog }
    const spool = createSpool({ ...options, files: used.files })
    const file = await spool.open()
    let respond = () => {}
    used.faults.close = () =>
      new Promise((resolve) => {
        respond = resolve
      })
    void file.close()
    let stopped = false
    const stopping = spool.close().then(() => {
      stopped = true
    })
    await until(() => clock.pending === 1)
    clock.advance(4_000)
    await new Promise((resolve) => setImmediate(resolve))
    t.notOk(stopped)
    clock.advance(1_000)
    await stopping
    respond()
    await until(() => used.open === 0)
  },
)

t.test('two operations run at once, the others in the order they came', async (t) => {
  const clock = new FakeClock()
  const turns = createTurns(2, () => clock.monotonic())
  const begun: number[] = []
  const ends: ((fails: boolean) => void)[] = []
  const runs = [0, 1, 2, 3, 4].map((at) =>
    turns.run(() => {
      begun.push(at)
      return new Promise<number>((resolve, reject) => {
        ends[at] = (fails) => (fails ? reject(new Error(String(at))) : resolve(at))
      })
    }),
  )
  const settled = Promise.allSettled(runs)
  await until(() => begun.length === 2)
  clock.advance(3_000)
  t.equal(turns.longestMs, 3_000)
  ends[1]?.(true)
  await until(() => begun.length === 3)
  t.equal(turns.longestMs, 3_000, 'the one of the beginning')
  ends[0]?.(false)
  await until(() => begun.length === 4)
  t.equal(turns.longestMs, 0)
  ends[2]?.(false)
  ends[3]?.(true)
  await until(() => begun.length === 5)
  ends[4]?.(false)
  t.strictSame(begun, [0, 1, 2, 3, 4])
  const states = (await settled).map(({ status }) => status)
  t.strictSame(states, ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
})
