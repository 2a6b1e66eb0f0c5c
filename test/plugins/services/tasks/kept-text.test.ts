/** What is kept of an upstream's words. */
import t from 'tap'
import { keptAnswer, keptReason } from '../../../../plugins/services/tasks/kept-text.js'

const taskId = 'task_01JD0000000000000000000000'
const unshown = { secrets: ['ak-secret|sk-secret'], ref: 'gen/operations/4711a8c0', taskId }

t.test("the upstream's id of a task gives way to the one its client knows", async (t) => {
  const answer = {
    id: 'gen/operations/4711a8c0',
    note: 'gen/operations/4711a8c0 is queued behind 4711a8c0',
    at: 'https://api.example/tasks/gen%2Foperations%2F4711a8c0',
    tasks: { 'gen/operations/4711a8c0': [{ name: '4711a8c0' }] },
    other: 'gen/operations/4711a8c',
  }
  t.same(keptAnswer(answer, unshown), {
    id: taskId,
    note: `${taskId} is queued behind ${taskId}`,
    at: `https://api.example/tasks/${taskId}`,
    tasks: { [taskId]: [{ name: taskId }] },
    other: 'gen/operations/4711a8c',
  })
  t.equal(keptReason('Task 4711a8c0 was refused.', unshown), `Task ${taskId} was refused.`)
})

t.test('an id that is a number, or short, is only found where it stands alone', async (t) => {
  const numbered = { ref: '1731000000123', taskId }
  t.same(keptAnswer({ task: 1731000000123, seconds: 5, text: 'of 1731000000123' }, numbered), {
    task: taskId,
    seconds: 5,
    text: `of ${taskId}`,
  })
  const short = { ref: 'a1', taskId }
  t.same(keptAnswer({ task: 'a1', text: 'a1 and ba1', list: ['a1'] }, short), {
    task: taskId,
    text: 'a1 and ba1',
    list: [taskId],
  })
  t.equal(keptReason('a1 failed', short), 'a1 failed')
})

t.test('keys and addresses are in no reason, in whatever spelling', async (t) => {
  const reason =
    'ak-secret with sk-secret called https://10.0.0.7:8080/v1/x?key=1 on api.upstream.com for 4711a8c0'
  t.equal(keptReason(reason, unshown), `*** with *** called *** on *** for ${taskId}`)
  t.same(keptAnswer({ 'ak-secret': 'sk-secret' }, unshown), { '***': '***' })
})

t.test('a text that is cut shows no beginning of an id or a key', async (t) => {
  const text = `${'x'.repeat(50)}gen/operations/4711a8c0${'y'.repeat(3_000)}`
  const { cut } = keptAnswer({ cut: text }, unshown)
  t.notMatch(String(cut), /gen\/|4711/)
  t.ok(String(cut).length < 100)
})

t.test(
  '[API-7] a reason is one line of at most 4096 characters, and states where it was cut',
  async (t) => {
    const kept = keptReason(`first\n\tsecond ${'word '.repeat(2_000)}`, unshown)
    t.match(kept, /^first {1,2}second word/)
    t.equal([...kept].length, 4096)
    t.match(kept, /… \[truncated\]$/)
  },
)

t.test('the sentences of the gateway itself stay as they are', async (t) => {
  const own = 'The task did not end within 1440 minutes. Nothing was charged.'
  t.equal(keptReason(own, unshown), own)
})

t.test(
  '[BILL-10] an address of reports is kept without its secret, however it is written',
  async (t) => {
    const id = 'task_01M89EBSRJDSH28S4Y0ZT62JDX'
    const address = `https://gateway.example/api/tasks/callback/${id}/${'0a'.repeat(20)}`
    const query = `n=${encodeURIComponent(address)}`
    const kept = JSON.stringify(keptAnswer({ callback_url: address, query }, unshown))
    t.notMatch(kept, /0a0a/)
    t.match(kept, id)
  },
)
