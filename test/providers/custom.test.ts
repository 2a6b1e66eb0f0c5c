/** The custom provider: the address as it is written, and nothing else it could be made to mean. */
import t from 'tap'
import create from '../../providers/custom/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, manifestOf } from './provider-kit.js'

const chat = adapterOf(create(), 'chat')
const manifest = manifestOf('custom')

function addressed(baseUrl: string, model = 'm-1') {
  return chat.address(json({}), channelOf(manifest, {}, baseUrl), { key: 'k' }, context(model))
}

t.test('the address is called as it is written', async (t) => {
  const urls = [
    'https://h.example/any/path/chat',
    'https://h.example/v2/text?version=3',
    'http://10.0.0.7:8000/generate/',
  ]
  for (const url of urls) t.equal(addressed(url).url, url)
  t.match(addressed(urls[0]!).headers, { authorization: 'Bearer k' })
})

t.test('the model takes its placeholder as one segment', async (t) => {
  const written = 'https://h.example/models/{model}/chat?name={model}'
  t.equal(addressed(written).url, 'https://h.example/models/m-1/chat?name=m-1')
  t.equal(
    addressed(written, "$&$'").url,
    "https://h.example/models/%24%26%24'/chat?name=%24%26%24'",
  )
  for (const model of ['a/../b', '..', 'a?b', 'a%2e', '']) {
    t.throws(() => addressed(written, model), { code: 'invalid_request' }, model)
  }
})

t.test('a name with a slash is no matter where the address has no place for it', async (t) => {
  t.equal(addressed('https://h.example/chat', 'org/model').url, 'https://h.example/chat')
})

t.test('what is no address is refused', async (t) => {
  const bad = ['', 'h.example/chat', 'ftp://h.example/', 'https://u:p@h.example/', 'https://h/#x']
  for (const url of bad) {
    t.throws(() => addressed(url), { code: 'channel:address_refused' }, url)
  }
})
