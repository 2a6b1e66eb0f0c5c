import t from 'tap'
import { Collector } from '../../../../kernel/toolkit/body/collect.js'

/** Sizes that fall on every side of what is copied and what is kept. */
const sizes = [0, 1, 3, 63, 64, 4095, 4096, 16_383, 16_384, 70_000]

t.test('whatever its pieces, a body is what was sent', async (t) => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % below
  }
  for (let round = 0; round < 200; round++) {
    const pieces = Array.from({ length: random(12) }, () =>
      Buffer.alloc(sizes[random(sizes.length)]!, random(256)),
    )
    const collected = new Collector()
    for (const piece of pieces) collected.add(piece)
    const whole = Buffer.concat(pieces)
    t.equal(collected.bytes, whole.length)
    t.ok(collected.all().equals(whole), `round ${round}`)
  }
})

t.test('a body of one piece is that piece, not a copy', async (t) => {
  const piece = Buffer.from('{"model":"m"}')
  const collected = new Collector()
  collected.add(piece)
  t.equal(collected.all(), piece)
})

t.test('a body of a known length is what was sent, where more or less comes as well', async (t) => {
  const megabyte = 1024 * 1024
  const piece = (index: number) => Buffer.alloc(70_000 + index, index)
  for (const sent of [10, 40, 60, 61, 80]) {
    const pieces = Array.from({ length: sent }, (_, index) => piece(index))
    const whole = Buffer.concat(pieces)
    for (const declared of [0, megabyte, 4 * megabyte, whole.length, whole.length + 1]) {
      const collected = new Collector(declared)
      for (const one of pieces) collected.add(one)
      t.equal(collected.bytes, whole.length)
      t.ok(collected.all().equals(whole), `${sent} pieces, ${declared} declared`)
      const taken = new Collector(declared)
      for (const one of pieces) taken.add(one)
      t.ok(Buffer.concat([...taken.take()]).equals(whole), 'taken away')
      taken.add(pieces[0]!)
      t.ok(taken.all().equals(pieces[0]!), 'and more behind it')
    }
  }
})

t.test(
  'a body of a known length is in one buffer before its end, and not before a quarter came',
  async (t) => {
    const declared = 8 * 1024 * 1024
    const piece = Buffer.alloc(64 * 1024, 'a')
    const buffers = () => process.memoryUsage().arrayBuffers
    const before = buffers()
    const collected = new Collector(declared)
    for (let at = 1; at < 32; at++) collected.add(piece)
    t.ok(buffers() - before < declared / 2, 'whoever declares much is not given it')
    for (let at = 32; at <= 128; at++) collected.add(piece)
    const there = buffers()
    t.equal(collected.all().length, declared)
    t.ok(buffers() - there < declared / 2, 'its end copies nothing')
  },
)

t.test('pieces of one byte take little more room than their bytes', async (t) => {
  const collected = new Collector()
  const piece = Buffer.from('a')
  globalThis.gc?.()
  const before = process.memoryUsage()
  for (let at = 0; at < 1_000_000; at++) collected.add(piece)
  const after = process.memoryUsage()
  t.ok(after.arrayBuffers - before.arrayBuffers <= 3 * 1024 * 1024, 'buffers')
  t.equal(collected.all().length, 1_000_000)
})

t.test('pieces that bring next to nothing are too many', async (t) => {
  const shreddedAt = (bytes: number): number | undefined => {
    const collected = new Collector()
    const piece = Buffer.alloc(bytes, 'a')
    for (let at = 1; at <= 100_000; at++) {
      collected.add(piece)
      if (collected.shredded) return at
    }
    return undefined
  }
  t.equal(shreddedAt(1), 4162)
  t.equal(shreddedAt(16), 5462)
  t.equal(shreddedAt(64), undefined)
})

t.test('what is taken away and put back is in its place, and counts as having come', async (t) => {
  let seed = 5
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % below
  }
  for (let round = 0; round < 200; round++) {
    const collected = new Collector()
    const sent: Buffer[] = []
    const gone: Buffer[] = []
    for (let step = 0; step < 20; step++) {
      const piece = Buffer.alloc(sizes[random(sizes.length)]!, random(256))
      sent.push(piece)
      collected.add(piece)
      if (random(3) > 0) continue
      const taken = collected.take()
      t.equal(collected.bytes, 0)
      if (random(2) > 0) gone.push(...taken)
      else collected.putBack(taken)
    }
    const whole = Buffer.concat(sent)
    t.equal(collected.came, whole.length)
    t.ok(Buffer.concat([...gone, collected.all()]).equals(whole), `round ${round}`)
  }
})

t.test('crumbs are crumbs, whatever was taken away meanwhile', async (t) => {
  const collected = new Collector()
  collected.add(Buffer.alloc(64 * 10_000))
  for (let at = 0; at < 14_000; at++) {
    collected.add(Buffer.from('a'))
    if (at % 1000 === 0) collected.take()
    t.notOk(collected.shredded)
  }
  for (let at = 0; at < 1000; at++) collected.add(Buffer.from('a'))
  t.ok(collected.shredded)
})
