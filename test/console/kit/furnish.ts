/** A gateway as it looks after some use: channels of several providers, users, tokens, requests, and failures too. */
import type { Test } from 'tap'
import type { TestGateway } from '../../kit/gateway.js'
import { chat, json, scriptedUpstream } from '../../kit/upstream.js'

const channels = [
  { name: 'OpenAI · main account', type: 1, models: 'gpt-4o-mini,gpt-4o', priority: 10, weight: 3 },
  { name: 'Azure Sweden', type: 3, models: 'gpt-4o', priority: 5, weight: 1 },
  {
    name: 'Anthropic',
    type: 14,
    models: 'claude-sonnet-4-5,claude-haiku-4-5',
    group: 'default,vip',
  },
  { name: 'Gemini pool', type: 24, models: 'gemini-2.5-pro,gemini-2.5-flash', tag: 'google' },
  { name: 'DeepSeek', type: 43, models: 'deepseek-chat,deepseek-reasoner', tag: 'value' },
] as const

const people = [
  { username: 'ada', display_name: 'Ada Lovelace', group: 'vip' },
  { username: 'grace', display_name: 'Grace Hopper', group: 'default' },
  { username: 'lin', display_name: '林月', group: 'default' },
] as const

/** Everything through the API, as an operator would have done it. Ends with the main channel's upstream answering well. */
export async function furnish(t: Pick<Test, 'teardown'>, { admin, chat: ask, logs }: TestGateway) {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('Hello there.', 1_200, 340)))
  for (const [index, channel] of channels.entries()) {
    const key = `sk-upstream-key-number-${index}`
    await admin.channel({ base_url: upstream.url, group: 'default', ...channel, key })
  }
  for (const person of people) {
    await admin.must('POST', '/api/user/', { ...person, password: 'a long password here' })
  }
  await admin.token({ name: 'Nightly batch', unlimited_quota: false, remain_quota: 2_500_000 })
  await admin.token({ name: 'Laptop', group: 'vip' })
  const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }
  for (let count = 0; count < 12; count++) await read(ask(question))
  upstream.script(json(429, { error: { message: 'Rate limit reached', type: 'rate_limit' } }))
  await read(ask({ ...question, model: 'gpt-4o' }))
  upstream.script(json(200, chat.whole('Hello there.', 1_200, 340)))
  await logs()
  return upstream
}

async function read(asking: Promise<Response>): Promise<void> {
  await (await asking).text()
}
