/** `/v1/tasks/{task}/results/{index}`: who gets the bytes, by key or by a signed address. */
import t, { type Test } from 'tap'
import { bearer, video, videoGateway } from './video-gateway.js'

async function gateway(t: Test) {
  const records = [video(), video({ taskId: 'task_8', userId: 8 })]
  const made = await videoGateway(t, records)
  return { ...made, get: (path: string, headers = {}) => made.ask('GET', path, { headers }) }
}

const result = '/v1/tasks/task_1/results/0'

t.test('the owner of a task reads its results by key, whole or in part', async (t) => {
  const { get, reads, ask } = await gateway(t)
  const { status, headers, text } = await get(result, bearer())
  t.equal(status, 200)
  t.equal(text, 'clip')
  t.match(headers, { 'content-type': 'video/mp4', 'x-content-type-options': 'nosniff' })
  t.equal((await get(result, { ...bearer(), range: 'bytes=0-3' })).status, 206)
  t.match(await ask('HEAD', result, { headers: bearer() }), { status: 200, text: '' })
  t.strictSame(reads, [
    ['task_1', 0, undefined],
    ['task_1', 0, 'bytes=0-3'],
    ['task_1', 0, undefined],
  ])
})

t.test('nobody else does, with a key or without', async (t) => {
  const { get, reads } = await gateway(t)
  t.equal((await get(result)).status, 401)
  t.equal((await get(result, bearer(9))).status, 401)
  t.match(await get(result, bearer(8)), {
    status: 404,
    json: { error: { code: 'task_not_found' } },
  })
  t.equal((await get('/v1/tasks/task_8/results/0', bearer(7))).status, 404)
  for (const index of ['01', '-1', 'x', '1e1', '99999', '1.0']) {
    const reply = await get(`/v1/tasks/task_1/results/${index}`, bearer())
    t.match(reply, { status: 404, json: { error: { code: 'task_result_missing' } } }, index)
  }
  t.strictSame(reads, [])
})

t.test('[API-6] a signed address needs no key, and is good for its result alone', async (t) => {
  const { get, signed, reads, clock } = await gateway(t)
  const address = signed.of(video(), 0)
  t.equal((await get(address)).text, 'clip')
  t.equal((await get(address, bearer(8))).status, 200, 'whoever has it')
  const read = reads.length
  const query = address.slice(address.indexOf('?'))
  const refused = [
    `/v1/tasks/task_1/results/1${query}`,
    `/v1/tasks/task_1/results/00${query}`,
    `/v1/tasks/task_8/results/0${query}`,
    address.replace('uid=7', 'uid=8'),
    address.replace('uid=7', 'uid[]=7'),
    address.replace('uid=7', 'uid=8&uid=7'),
    address.replace(/signature=./, 'signature='),
    address.replace(/&signature=.*/, ''),
    `${result}?signature=x`,
    `${result}?uid=7`,
    `${result}?expires=9999999999`,
  ]
  for (const path of refused) {
    const reply = await get(path)
    t.match(reply, { status: 403, json: { error: { code: 'signature_invalid' } } }, path)
    t.equal((await get(path, bearer())).status, 403, 'a key mends nothing')
  }
  clock.advance(15 * 60_000)
  t.equal((await get(address)).status, 403)
  t.equal(reads.length, read)
})

t.test(
  '[API-6] a signed address ends with the task, and where it is no longer the user’s',
  async (t) => {
    const { get, signed, records } = await gateway(t)
    const address = signed.of(video(), 0)
    records[0] = video({ userId: 8 })
    t.match(await get(address), { status: 403, json: { error: { code: 'signature_invalid' } } })
    records.length = 0
    t.equal((await get(address)).status, 403)
  },
)
