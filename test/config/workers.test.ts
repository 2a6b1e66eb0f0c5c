/** Parts of the primary: whole lines, places of workers, and what the environment makes of their number. */
import { availableParallelism } from 'node:os'
import t from 'tap'
import { readEnvironment, readRole } from '../../config/environment.js'
import { Place } from '../../config/workers/place.js'
import { wholeLines } from '../../config/workers/whole-lines.js'

const DATABASE_URL = 'postgres://user:password@127.0.0.1:5432/name'
const MiB = 1024 * 1024

t.test(
  'output is taken by whole lines, however it comes, and a rest without an end is none',
  (t) => {
    const text = 'one\nzwölf\n\n€€€€\nlast\n'
    for (let size = 1; size <= 12; size++) {
      let taken = ''
      let lines = 0
      const take = wholeLines((whole, count) => {
        t.ok(whole.endsWith('\n'))
        taken += whole
        lines += count
      })
      const bytes = Buffer.from(`${text}torn`)
      for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
      t.equal(taken, text, `by ${size}`)
      t.equal(lines, 5)
    }
    t.end()
  },
)

t.test('a line without an end is ended by force', (t) => {
  const taken: number[] = []
  const take = wholeLines((whole) => taken.push(whole.length))
  for (let piece = 0; piece < 20; piece++) take(Buffer.alloc(100_000, 'x'))
  t.same(taken, [1_100_001])
  t.end()
})

t.test('who ends young keeps the next one waiting, at once first and then ever longer', (t) => {
  const place = new Place(1)
  const delays = Array.from({ length: 8 }, () => {
    place.begun({} as never)
    return place.ended()
  })
  t.same(delays, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  t.end()
})

t.test('the number of workers, and what it needs', (t) => {
  const workers = (WORKERS: string | undefined, over = {}) =>
    readEnvironment({ ...(WORKERS !== undefined && { WORKERS }), ...over }).workers
  t.equal(workers(undefined), 1)
  t.equal(workers('1'), 1)
  t.equal(workers('auto'), 1, 'the embedded database serves one')
  t.equal(workers('auto', { DATABASE_URL }), availableParallelism())
  t.equal(workers('64', { SQL_DSN: DATABASE_URL }), 64)
  t.throws(() => workers('2'), /WORKERS=2 .*DATABASE_URL/)
  for (const wrong of ['0', '65', '-1', '1.5', 'two'])
    t.throws(() => workers(wrong), /WORKERS takes/)
  t.end()
})

t.test('a worker has a name and a part of the machine of its own', (t) => {
  t.equal(readRole({}), undefined)
  t.equal(readRole({ WAYBILL_WORKER: 'two' }), undefined)
  const role = readRole({ WAYBILL_WORKER: '2/4' })
  t.same(role, { number: 2, count: 4 })
  const source = {
    ...{ NODE_NAME: 'gate', WORKERS: '4', DATABASE_URL },
    ...{ MAX_BODIES_IN_FLIGHT_MB: '400', UPLOAD_SPOOL_MB: '32' },
  }
  const { environment } = readEnvironment(source, role)
  t.equal(environment.nodeName, 'gate-2')
  t.equal(environment.bytesInFlightMax, 100 * MiB)
  t.equal(environment.uploadSpool?.bytesMax, 16 * MiB, 'never less than that')
  t.equal(
    readEnvironment({ ...source, UPLOAD_SPOOL_MB: '0' }, role).environment.uploadSpool,
    undefined,
  )
  t.equal(readEnvironment(source).environment.bytesInFlightMax, 400 * MiB)
  t.end()
})
