/** Results as the row of their task keeps them. */
import t from 'tap'
import { keptResults } from '../../../../plugins/services/tasks/kept-results.js'

const clip = (bytes: number) => `data:video/mp4;base64,${'A'.repeat(bytes)}`

t.test('bytes an upstream sent along stand apart from the results', async (t) => {
  const data = clip(400)
  const { results, bytes, missing } = keptResults([
    { type: 'text', text: 'first\nsecond\0' },
    { type: 'video', data, meta: { seconds: 8 } },
  ])
  t.same(results, [
    { type: 'text', text: 'first\nsecond' },
    { type: 'video', meta: { seconds: 8 }, inline: true },
  ])
  t.same(bytes, [{ index: 1, data }])
  t.equal(missing, undefined)
})

t.test('of more bytes than a row may have the client learns why they are missing', async (t) => {
  const half = clip(40 * 1024 * 1024)
  const kept = keptResults([
    { type: 'video', data: half },
    { type: 'video', data: half },
    { type: 'image', data: clip(8) },
  ])
  t.same(
    kept.results.map(({ inline }) => inline ?? false),
    [true, false, true],
  )
  t.match(kept.missing, /1 of 3 results could not be kept/)
})

t.test('addresses that are none are left out, and ids of the upstream give way', async (t) => {
  const unshown = { ref: 'gen-471100', taskId: 'task_1' }
  const { results } = keptResults(
    [
      { type: 'video', url: 'https://cdn.example/a.mp4', meta: { id: 'gen-471100' } },
      { type: 'video', url: 'file:///etc/passwd' },
      { type: 'video', url: 'https://cdn.example/\u0000' },
      { type: 'video', url: 'gs://bucket/a.mp4', keyed: true },
    ],
    unshown,
  )
  t.same(results, [
    { type: 'video', url: 'https://cdn.example/a.mp4', meta: { id: 'task_1' } },
    { type: 'video' },
    { type: 'video' },
    { type: 'video', keyed: true, url: 'gs://bucket/a.mp4' },
  ])
})
