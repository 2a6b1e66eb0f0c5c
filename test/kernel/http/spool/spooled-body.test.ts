/** Large forms on disk while they arrive: what memory holds meanwhile, and what becomes of them when something fails. */
import type { Socket } from 'node:net'
import t from 'tap'
import { exchange, until } from '../harness.js'
import {
  arrived,
  bytesOf,
  disk,
  fault,
  MiB,
  refused,
  sumOf,
  turns,
  uploadGateway,
} from './harness.js'

const KiB = 1024
const flight = 512 * KiB
const warnings = (lines: readonly { level: string; message: string }[]) =>
  lines.filter(({ level, message }) => level === 'warn' && message.includes('on disk'))

t.test(
  '[SVC-1] a large form arrives byte for byte, and memory holds little meanwhile',
  async (t) => {
    const it = await uploadGateway(t, { waiting: true })
    const body = bytesOf(40 * MiB)
    for (const declared of [body.length, undefined]) {
      const { length } = it.starts
      const upload = await it.upload({ bytes: declared })
      await upload.send(body.subarray(0, 30 * MiB))
      await until(() => it.spool.held >= 30 * MiB && it.budget.held === flight)
      t.equal(it.disk.open, 1)
      await upload.send(body.subarray(30 * MiB))
      if (declared === undefined) upload.end()
      await until(() => it.starts.length > length)
      t.equal(it.starts[length]?.inbound.payload.length, body.length)
      t.equal(it.starts[length]?.inbound.payload.buffer.byteLength, body.length, 'exactly as large')
      t.equal(it.budget.held, body.length, 'in memory, as any other')
      await until(() => it.disk.open === 0 && it.spool.held === 0)
      it.end(length)
      await arrived(t, upload, body)
      await until(it.free)
    }
    t.equal(it.disk.opened, 2)
  },
)

t.test('[SVC-1] what is no large form is never on disk', async (t) => {
  const it = await uploadGateway(t)
  const form = bytesOf(8 * MiB)
  const others = [
    { type: 'application/json', body: bytesOf(9 * MiB) },
    { type: 'application/x-www-form-urlencoded', body: bytesOf(9 * MiB) },
    { type: 'multipart/form-data; boundary=abcdef', body: form },
  ]
  for (const { type, body } of others) {
    const upload = await it.upload({ type, bytes: body.length })
    await upload.send(body)
    await arrived(t, upload, body)
  }
  await until(it.free)
  t.equal(it.disk.opened, 0)
})

t.test('[SVC-1] while twenty large forms hang, small requests are served', async (t) => {
  const it = await uploadGateway(t, { memory: 64 * MiB, spoolBytes: 1024 * MiB })
  const half = bytesOf(2 * MiB)
  const uploads = await Promise.all(
    Array.from({ length: 20 }, (_, at) => it.upload({ bytes: 30 * MiB, key: String(at + 1) })),
  )
  await Promise.all(uploads.map((upload) => upload.send(half)))
  await until(() => it.disk.open === 20)
  t.equal(it.budget.held, 20 * flight)
  t.equal(it.spool.held, 600 * MiB)
  const headers = { authorization: '1', 'content-type': 'application/json' }
  const small = await exchange(it.port, 'POST', '/v1/chat/completions', { headers, body: '{}' })
  t.equal(small.status, 200)
  for (const upload of uploads) upload.leave()
  await until(it.free)
})

t.test('[SVC-1] a disk slower than the network holds the client back', async (t) => {
  const used = disk()
  let writing = 0
  const go: (() => void)[] = []
  used.faults.writev = async (write) => {
    writing += 1
    await new Promise<void>((resolve) => go.push(resolve))
    return write()
  }
  const it = await uploadGateway(t, { disk: used })
  const sockets: Socket[] = []
  it.server.listener.on('connection', (socket) => sockets.push(socket))
  const body = bytesOf(20 * MiB)
  const upload = await it.upload({ bytes: body.length })
  const sending = upload.send(body)
  await until(() => writing === 1)
  it.clock.advance(60_000)
  await turns(2_000)
  t.ok(sockets[0]!.bytesRead <= flight, `${sockets[0]!.bytesRead} bytes were read`)
  t.equal(it.budget.held, flight)
  t.equal(upload.text(), '', 'that is not the time of the client')
  while (it.starts.length === 0) {
    go.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await sending
  await arrived(t, upload, body)
})

t.test(
  '[SVC-1] a disk that does not respond is reported as that, and new forms do without',
  async (t) => {
    const used = disk()
    let respond: (() => void) | undefined
    used.faults.writev = async () => {
      await new Promise<void>((resolve) => {
        respond = resolve
      })
      throw fault('EIO')
    }
    const it = await uploadGateway(t, { disk: used })
    const body = bytesOf(10 * MiB)
    const stuck = await it.upload({ bytes: body.length })
    void stuck.send(body)
    await until(() => respond !== undefined)
    it.clock.advance(6_000)
    const other = await it.upload({ bytes: body.length, key: '2' })
    await other.send(body)
    await arrived(t, other, body)
    t.equal(used.opened, 1)
    it.clock.advance(120_000)
    await refused(t, stuck, 503, 'out_of_room')
    t.equal(used.open, 1)
    respond?.()
    await until(it.free)
  },
)

t.test('[SVC-1] one that is whole waits for the disk no longer than for a body', async (t) => {
  const used = disk()
  const it = await uploadGateway(t, { disk: used })
  const body = bytesOf(10 * MiB)
  let respond: (() => void) | undefined
  used.faults.read = () =>
    new Promise((resolve) => {
      respond = resolve
    })
  const upload = await it.upload({ bytes: body.length })
  await upload.send(body)
  await until(() => respond !== undefined)
  it.clock.advance(120_000)
  await refused(t, upload, 503, 'out_of_room')
  respond?.()
  await until(it.free)
})

t.test('[SVC-1] a full disk: in memory where there is room, else 503, in few words', async (t) => {
  const used = disk()
  let left = 0
  used.faults.writev = async (write) => {
    if (left <= 0) throw fault('ENOSPC')
    const written = await write(left)
    left -= written
    return written
  }
  const it = await uploadGateway(t, { memory: 64 * MiB, disk: used, waiting: true })
  const body = bytesOf(30 * MiB)
  for (const [index, declared] of [body.length, undefined].entries()) {
    left = 5 * MiB + 1
    const upload = await it.upload({ bytes: declared })
    await upload.send(body)
    if (declared === undefined) upload.end()
    await until(() => it.starts.length > index)
    t.equal(it.disk.open, 0)
    t.equal(it.budget.held, body.length)
    left = 5 * MiB
    const second = await it.upload({ bytes: declared, key: '2' })
    void second.send(body)
    await refused(t, second, 503, 'out_of_room')
    t.match(second.text(), /retry-after: 1/i)
    it.end(index)
    await arrived(t, upload, body)
    await until(it.free)
  }
  t.equal(warnings(it.lines).length, 1, 'four failures within a minute')
  it.clock.advance(60_000)
  left = 0
  const later = await it.upload({ bytes: body.length })
  await later.send(body)
  await until(() => it.starts.length > 2)
  it.end(2)
  await arrived(t, later, body)
  t.equal(warnings(it.lines).length, 2)
})

t.test('[SVC-1] what is written a part at a time is written in full', async (t) => {
  const used = disk()
  used.faults.writev = (write) => write(70_001)
  const it = await uploadGateway(t, { disk: used })
  const body = bytesOf(9 * MiB)
  const upload = await it.upload({ bytes: body.length })
  await upload.send(body)
  await arrived(t, upload, body)
  t.equal(warnings(it.lines).length, 0)
})

t.test('[SVC-1] a disk that cannot be read back ends one upload and nothing else', async (t) => {
  const used = disk()
  used.faults.read = async () => {
    throw fault('EIO')
  }
  const it = await uploadGateway(t, { disk: used })
  const body = bytesOf(9 * MiB)
  const upload = await it.upload({ bytes: body.length })
  await upload.send(body)
  await refused(t, upload, 503, 'out_of_room')
  await until(it.free)
  delete used.faults.read
  const next = await it.upload({ bytes: body.length })
  await next.send(body)
  await arrived(t, next, body)
})

t.test('[SVC-1] no file can be opened: memory takes its place', async (t) => {
  const used = disk()
  used.faults.open = async () => {
    throw fault('EROFS')
  }
  const it = await uploadGateway(t, { memory: 64 * MiB, disk: used, waiting: true })
  const body = bytesOf(30 * MiB)
  const upload = await it.upload({ bytes: body.length })
  await upload.send(body)
  await until(() => it.starts.length === 1)
  const second = await it.upload({ bytes: body.length, key: '2' })
  await refused(t, second, 503, 'out_of_room')
  it.end(0)
  await arrived(t, upload, body)
  await until(it.free)
  t.equal(warnings(it.lines).length, 1)
})

t.test('[SVC-1] a client that leaves, at any moment, leaves neither file nor room', async (t) => {
  const it = await uploadGateway(t, { memory: 64 * MiB, waiting: true })
  const body = bytesOf(30 * MiB)
  for (const declared of [body.length, undefined]) {
    for (const bytes of [0, 100, 9 * MiB]) {
      const { opened } = it.disk
      const upload = await it.upload({ bytes: declared })
      await upload.send(body.subarray(0, bytes))
      if (declared !== undefined || bytes > 8 * MiB) await until(() => it.disk.opened > opened)
      upload.leave()
      await until(it.free)
    }
  }
  const first = await it.upload({ bytes: body.length })
  await first.send(body)
  await until(() => it.starts.length === 1)
  const second = await it.upload({ bytes: body.length, key: '2' })
  await second.send(body)
  await until(() => it.budget.held === body.length && it.disk.open === 1)
  second.leave()
  await until(() => it.spool.held === 0 && it.disk.open === 0)
  it.end(0)
  await arrived(t, first, body)
  await until(it.free)
  t.equal(it.starts.length, 1)
  t.equal(it.clock.pending, 0)
})

t.test('[SVC-1] one that trickles is ended as any large body is', async (t) => {
  const it = await uploadGateway(t)
  const upload = await it.upload({ bytes: 30 * MiB })
  await upload.send(bytesOf(100))
  await until(() => it.disk.open === 1)
  it.clock.advance(10_000)
  await turns(200)
  t.equal(upload.text(), '')
  it.clock.advance(5_000)
  await refused(t, upload, 408, 'request_timeout')
  await until(it.free)
})

t.test('[SVC-1] too large, or in crumbs: refused, and nothing is left', async (t) => {
  const it = await uploadGateway(t, { maxRequestBodyBytes: 20 * MiB })
  const large = await it.upload({})
  void large.send(bytesOf(21 * MiB))
  await refused(t, large, 413, 'body_too_large')
  await until(it.free)
  const declared = await it.upload({ bytes: 21 * MiB })
  await refused(t, declared, 413, 'body_too_large')
  t.equal(it.disk.opened, 1)
  const crumbs = await it.upload({})
  await crumbs.send(bytesOf(9 * MiB))
  await until(() => it.disk.open === 1)
  await crumbs.crumble(200_000)
  await refused(t, crumbs, 400, 'chunks are too small')
  await until(it.free)
})

t.test('[SVC-1] past its bound the disk takes no more, and one user has half of it', async (t) => {
  const it = await uploadGateway(t, { memory: 64 * MiB, spoolBytes: 100 * MiB })
  const start = (key: string) => it.upload({ bytes: 30 * MiB, key })
  const uploads = [await start('1'), await start('2')]
  await until(() => it.disk.open === 2)
  t.equal(it.spool.held, 60 * MiB)
  uploads.push(await start('2'))
  await until(() => it.budget.held === 2 * flight + 30 * MiB)
  t.equal(it.spool.held, 60 * MiB, 'the second of one user is in memory')
  uploads.push(await start('3'))
  await until(() => it.disk.open === 3)
  await refused(t, await start('4'), 503, 'out_of_room')
  for (const upload of uploads) upload.leave()
  await until(it.free)
})

t.test('[SVC-1] one in chunks that finds the disk full by others goes on in memory', async (t) => {
  const it = await uploadGateway(t, { spoolBytes: 40 * MiB })
  const other = await it.upload({ bytes: 20 * MiB, key: '2' })
  await until(() => it.disk.open === 1)
  const body = bytesOf(30 * MiB)
  const upload = await it.upload({})
  await upload.send(body)
  upload.end()
  await arrived(t, upload, body)
  t.equal(it.disk.opened, 2)
  t.equal(warnings(it.lines).length, 0)
  other.leave()
  await until(it.free)
})

t.test('[SVC-1] whole forms wait for room, and get it in the order they came', async (t) => {
  const it = await uploadGateway(t, { memory: 64 * MiB, waiting: true })
  const bodies = [1, 2, 3, 4].map(() => bytesOf(30 * MiB))
  const uploads = []
  for (const [at, body] of bodies.entries()) {
    const upload = await it.upload({ bytes: body.length, key: String(at + 1) })
    await upload.send(body)
    uploads.push(upload)
    if (at === 0) await until(() => it.starts.length === 1)
    else await until(() => it.disk.open === at && it.budget.held === 30 * MiB)
  }
  const large = { authorization: '9', 'content-type': 'application/json' }
  const json = await exchange(it.port, 'POST', '/v1/chat/completions', {
    headers: large,
    body: Buffer.alloc(5 * MiB),
  })
  t.equal(json.status, 503, 'who is large and comes later is not before them')
  const sums = bodies.map(sumOf)
  for (const at of [0, 1, 2]) {
    t.equal(it.starts.length, at + 1)
    it.end(at)
    await arrived(t, uploads[at]!, bodies[at]!)
    await until(() => it.starts.length === at + 2)
    t.equal(sumOf(it.starts[at + 1]!.inbound.payload), sums[at + 1])
    await until(() => it.disk.open === 2 - at)
  }
  it.end(3)
  await arrived(t, uploads[3]!, bodies[3]!)
  await until(it.free)
})

t.test('[SVC-1] who finds no room for a while is refused', async (t) => {
  const it = await uploadGateway(t, { memory: 64 * MiB, waiting: true })
  const body = bytesOf(30 * MiB)
  const first = await it.upload({ bytes: body.length })
  await first.send(body)
  await until(() => it.starts.length === 1)
  const second = await it.upload({ bytes: body.length, key: '2' })
  await second.send(body)
  await until(() => it.budget.held === body.length && it.clock.pending === 2)
  it.clock.advance(29_000)
  await turns(200)
  t.equal(second.text(), '')
  it.clock.advance(1_000)
  await refused(t, second, 503, 'out_of_room')
  it.end(0)
  await arrived(t, first, body)
  await until(it.free)
})

t.test('[SVC-1] a stop in the midst closes what is open', async (t) => {
  const it = await uploadGateway(t)
  const upload = await it.upload({ bytes: 30 * MiB })
  await upload.send(bytesOf(10 * MiB))
  await until(() => it.disk.open === 1)
  const stopped = it.server.stop({ abort: () => {} })
  it.clock.advance(20_000)
  await until(() => upload.ended || it.clock.pending === 1)
  it.clock.advance(5_000)
  await stopped
  await it.spool.close()
  t.equal(it.disk.open, 0)
  await until(it.free)
})
