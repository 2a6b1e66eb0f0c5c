/** A stored file as a source of bytes: whole, a stretch of it, and one that is shorter than it was. */
import { open, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { fileSource } from '../../../../plugins/services/task-storage/file-source.js'
import type { FileStretch } from '../../../../plugins/services/task-storage/index.js'

async function read(t: Test, bytes: Buffer, stretch?: FileStretch) {
  const path = `${t.testdir({})}/file`
  await writeFile(path, bytes)
  const handle = await open(path)
  const pieces: Buffer[] = []
  const end = await new Promise<string>((resolve) => {
    const source = fileSource(handle, stretch)
    source.consume({
      data(piece) {
        pieces.push(piece)
        return true
      },
      end: () => resolve('ended'),
      fail: ({ code }) => resolve(code),
    })
  })
  return { end, bytes: Buffer.concat(pieces) }
}

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251))

t.test('a file is read to its end, and a stretch is exactly what was requested', async (t) => {
  t.match(await read(t, bytes), { end: 'ended', bytes })
  for (const [from, to] of [
    [0, 1],
    [65_535, 65_537],
    [199_999, 200_000],
    [0, 200_000],
  ] as const) {
    const found = await read(t, bytes, { from, to })
    t.equal(found.end, 'ended')
    t.ok(found.bytes.equals(bytes.subarray(from, to)), `${from} to ${to}`)
  }
})

t.test('a stretch the file no longer has breaks off, and does not end', async (t) => {
  const found = await read(t, bytes, { from: 199_000, to: 300_000 })
  t.equal(found.end, 'upstream_broke_off')
  t.ok(found.bytes.equals(bytes.subarray(199_000)))
})
