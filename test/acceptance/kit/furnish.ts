/** A fresh gateway made ready over HTTP, and a call to it that may be cut off. */
import { management } from '../../kit/management.js'
import type { ScriptedUpstream } from '../../kit/upstream.js'

/** Sets it up: funds, prices, a channel to the upstream, a key. */
export async function furnish(url: string, upstream: ScriptedUpstream) {
  const admin = management(url)
  await admin.setUp()
  await admin.credit(1, 1_000_000_000)
  await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
  await admin.option('CompletionRatio', { 'gpt-4o-mini': 1 })
  const channel = { type: 1, key: 'k', models: 'gpt-4o-mini', group: 'default' }
  const id = await admin.channel({ ...channel, name: 'scripted', base_url: upstream.url })
  const { key } = await admin.token()
  return { admin, key, channelId: id }
}

/** The text of the answer; `cut off` where its connection ended before it did. */
export async function call(url: string, key: string, body: unknown): Promise<string> {
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return await answer.text()
  } catch {
    return 'cut off'
  }
}
