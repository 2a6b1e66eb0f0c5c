/** Paths that are not served: refused in their format, without a key, and nothing leaves the gateway. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { RouteManifest } from '../../../kernel/contract/manifest.js'
import create from '../../../plugins/endpoints/unserved/index.js'
import { scriptedGateway } from '../../kit/scripted-gateway.js'

const manifest = new URL('../../../plugins/endpoints/unserved/manifest.json', import.meta.url)
const { routes } = JSON.parse(readFileSync(manifest, 'utf8')) as { routes: RouteManifest[] }

t.test('the manifest and the code name the same routes', (t) => {
  const declared = routes.map(({ name }) => name).sort()
  t.strictSame(Object.keys(create().routes).sort(), declared)
  for (const { name, method } of routes) t.ok(name.endsWith(method.toLowerCase()), name)
  t.end()
})

const gateway = await scriptedGateway(t)

async function ask(method: string, path: string) {
  const answer = await fetch(`${gateway.url}${path}`, { method })
  // biome-ignore lint/suspicious/noExplicitAny: four frames.
  return { status: answer.status, body: (await answer.json()) as any }
}

t.test('[ERR-1] every declared path answers 501 in its frame, without a key', async (t) => {
  const frames = {
    chat: { type: undefined, error: { code: 'api_not_implemented', param: '', type: String } },
    responses: { type: undefined, error: { code: 'api_not_implemented', param: '' } },
    messages: { type: 'error', error: { type: String, message: String } },
    generative: { error: { status: 'UNIMPLEMENTED', code: 'api_not_implemented' } },
  }
  for (const { method, path, format } of routes) {
    const filled = path.replace('{rest*}', 'some/thing').replace(/\{\w+\*?\}/g, 'thing')
    const bare = path.replace('/{rest*}', '').replace(/\{\w+\*?\}/g, 'thing')
    for (const spelled of new Set([filled, bare])) {
      const { status, body } = await ask(method, spelled)
      t.equal(status, 501, `${method} ${spelled}`)
      t.match(body, frames[format!], `${method} ${spelled}`)
    }
  }
  t.equal(gateway.upstream.requests.length, 0)
})

t.test('a body of whatever type is no reason to say anything else', async (t) => {
  const form = new FormData()
  form.append('file', new Blob(['x'.repeat(100_000)]), 'data.jsonl')
  const answer = await fetch(`${gateway.url}/v1/files`, { method: 'POST', body: form })
  t.equal(answer.status, 501)
})

t.test('[ERR-1] any other path is a 404 in the frame of its neighbours', async (t) => {
  for (const path of ['/v1/nothing', '/v1', '/v1/chat/nothing', '/pg/nothing']) {
    const { status, body } = await ask('GET', path)
    t.equal(status, 404, path)
    t.match(body, { type: undefined, error: { code: 'not_found', type: 'not_found_error' } }, path)
  }
  for (const path of ['/v1beta', '/v1beta/nothing', '/v1beta/nothing/else']) {
    const { status, body } = await ask('GET', path)
    t.equal(status, 404, path)
    t.match(body, { error: { code: 'not_found', status: 'NOT_FOUND' } }, path)
  }
  const { status, body } = await ask('GET', '/v1/messages/nothing')
  t.equal(status, 404)
  t.match(body, { type: 'error', error: { type: 'not_found_error' } })
})

t.test('a method nobody serves stays a 405', async (t) => {
  t.equal((await ask('GET', '/v1/chat/completions')).status, 405)
  t.equal((await ask('GET', '/v1/messages')).status, 405)
  t.equal((await ask('GET', '/v1/responses')).status, 405)
  t.equal((await ask('POST', '/v1/models')).status, 405)
  t.equal((await ask('PUT', '/v1/files/thing')).status, 405)
})
