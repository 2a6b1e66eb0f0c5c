/** Files an upstream's answer names by address: what may be fetched, how much of it, and how long. */
import t from 'tap'
import type { ByteSource } from '../../../../kernel/contract/bytes.js'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type {
  Cancel,
  Egress,
  EgressReply,
  EgressRequest,
} from '../../../../kernel/contract/services/egress.js'
import { addressRefused } from '../../../../kernel/toolkit/errors/egress-error.js'
import { limits } from '../../../../kernel/toolkit/limits/index.js'
import { fetchEach } from '../../../../plugins/stages/upstream/addressed-media.js'
import { FakeClock } from '../../../kit/clock.js'

const channel = { baseUrl: 'https://own.example/v1' } as Channel
const png = { 'content-type': 'image/png' }

interface Body extends ByteSource {
  aborted: boolean
}

/** Sends these bytes; without any it stays silent. */
function bodyOf(bytes: string | undefined): Body {
  const body: Body = {
    aborted: false,
    consume(consumer) {
      if (bytes === undefined) return
      if (bytes !== '') consumer.data(Buffer.from(bytes))
      consumer.end()
    },
    resume() {},
    abort() {
      body.aborted = true
    },
  }
  return body
}

function fetching(urls: readonly string[], reply: () => Promise<EgressReply>) {
  const clock = new FakeClock()
  const asked: EgressRequest[] = []
  const cancel: Cancel = {}
  const open = (request: EgressRequest) => {
    asked.push(request)
    return reply()
  }
  const egress = { open } as unknown as Egress
  const files = fetchEach(urls, { channel, room: undefined }, { egress, cancel, clock })
  return { files, clock, asked, cancel }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Why it failed. */
function failureOf(files: Promise<unknown>): Promise<unknown> {
  return files.then(
    () => undefined,
    (error) => error.failure,
  )
}

const replying = (body: Body, headers: Readonly<Record<string, string>> = png) => {
  return async (): Promise<EgressReply> => ({ status: 200, headers, body })
}

t.test('[ERR-1] an address that may not be fetched is no fault of the channel', async (t) => {
  const { files } = fetching(['http://10.0.0.1/a'], () => Promise.reject(addressRefused('private')))
  t.match(await failureOf(files), {
    ...{ code: 'upstream_error', blame: 'upstream', status: 502, message: /may not be/ },
  })
})

t.test('[SVC-3] what comes byte by byte is given up in time', async (t) => {
  const body = bodyOf(undefined)
  const { files, clock } = fetching(['https://f.example/a'], replying(body))
  await turn()
  clock.advance(limits.headersMs)
  t.match(await failureOf(files), { code: 'upstream_timeout' })
  t.ok(body.aborted)
  t.equal(clock.pending, 0)
})

t.test('[SVC-3] whoever cancels leaves no timer and no connection', async (t) => {
  const body = bodyOf(undefined)
  const { clock, cancel } = fetching(['https://f.example/a'], replying(body))
  await turn()
  cancel.abort?.()
  t.ok(body.aborted)
  t.equal(clock.pending, 0)
})

t.test('[SVC-3] more addresses than an answer may hold are not fetched', async (t) => {
  const urls = Array.from({ length: limits.addressedMediaMax + 1 }, () => 'https://f.example/a')
  const { files, asked } = fetching(urls, replying(bodyOf('x')))
  t.match(await failureOf(files), { code: 'upstream_too_large', blame: 'upstream' })
  t.strictSame(asked, [])
})

t.test('[SVC-3] neither a page nor nothing is a picture', async (t) => {
  const page = bodyOf('<html>')
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const urls = ['https://f.example/a']
  t.match(await failureOf(fetching(urls, replying(page, html)).files), { status: 502 })
  t.ok(page.aborted)
  t.match(await failureOf(fetching(urls, replying(bodyOf(''))).files), { status: 502 })
})

t.test('[SVC-3] a fragment is not sent, and no key goes along', async (t) => {
  const { files, asked } = fetching(['https://f.example/a?b=c#d'], replying(bodyOf('x')))
  t.strictSame(await files, [{ bytes: Buffer.from('x'), type: 'image/png' }])
  t.match(asked, [{ url: 'https://f.example/a?b=c', namedBy: 'user', headers: {} }])
})
