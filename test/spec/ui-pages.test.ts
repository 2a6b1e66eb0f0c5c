/** The console's files, and its page in place of what no route serves. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { noRateLimits, startGateway } from '../kit/gateway.js'
import { root as rootPerson } from '../kit/management.js'

const page = '<!doctype html><title>Console</title><script type="module" src="/assets/main-1.js">'
const script = `export const words = ${JSON.stringify('word '.repeat(1000))}`

const root = t.testdir({
  'secret.txt': 'outside',
  public: {
    'index.html': page,
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.hidden': 'inside',
    assets: {
      'main-1.js': script,
      'main-1.css': 'body{}',
      'font-1.woff2': 'font',
      '.env': 'inside',
    },
  },
})
const folder = join(root, 'public')
writeFileSync(join(folder, 'assets/main-1.js.gz'), gzipSync(script))
writeFileSync(join(folder, 'assets/main-1.js.br'), brotliCompressSync(script))
mkdirSync(join(folder, 'assets/deep'))

const pages = pathToFileURL(`${folder}/`)
const gateway = await startGateway(t, {
  pages,
  funds: 0,
  environment: {
    trustedProxies: ['127.0.0.1'],
    rateLimits: { ...noRateLimits, web: { enabled: true, limit: 2, windowSeconds: 60 } },
  },
})
const bare = await startGateway(t, { funds: 0 })

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

let callers = 0

/** Each caller has an address of its own, unless it names one. The path goes out as it stands. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', at = gateway.url) {
  callers += 1
  return new Promise<Reply>((resolve, reject) => {
    const sent = request(at, {
      ...{ method, path },
      headers: { 'x-forwarded-for': `198.51.${callers >> 8}.${callers & 255}`, ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, bytes, text: String(bytes) })
      })
    })
    sent.end()
  })
}

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test(
  '[API-1] the page is distinguished from the API: any place a browser goes to that no route serves',
  async (t) => {
    const paths = [
      '/',
      '/dashboard',
      '/dashboard/',
      '/login?next=%2F',
      '/channels/7',
      '/oauth/github',
      '/setup',
      '/apiary',
      '/v2',
    ]
    for (const path of paths) {
      const { status, headers, text } = await ask(path, html)
      t.equal(status, 200, path)
      t.equal(text, page, path)
      t.match(headers, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-request-id': /^req_/,
        'content-security-policy': /script-src 'self';.*connect-src 'self'.*frame-ancestors 'none'/,
      })
      t.notMatch(headers['content-security-policy'], /script-src[^;]*unsafe/)
    }
    t.equal((await ask('/')).status, 200, 'the root is a page for everyone')
  },
)

t.test('what belongs to the API stays what it was, whoever asks', async (t) => {
  const paths = [
    ...['/api', '/api/nothing', '/v1/nothing', '/v1beta/nothing', '/pg/nothing', '/mj/x'],
    ...['/live/x', '/health/nothing', '/assets', '/assets/nothing.js', '/metrics', '/metrics/x'],
    ...['/dashboard/billing', '/dashboard/billing/nothing', '/v1', '/upload/nothing'],
  ]
  for (const path of paths) {
    const result = await ask(path, html)
    t.equal(result.status, 404, path)
    t.match(result.headers['content-type'], /^application\/json/, path)
    const before = await ask(path, html, 'GET', bare.url)
    const plain = ({ text }: Reply) => text.replace(/req_\w+/g, '')
    t.equal(plain(result), plain(before), path)
  }
  t.equal((await ask('/nothing')).status, 404, 'who asks for no page gets none')
  t.equal((await ask('/nothing', html, 'POST')).status, 404)
  t.equal((await ask('/', html, 'GET', bare.url)).status, 404, 'without a console there is none')
  t.equal((await ask('/dashboard/billing/usage', html)).status, 401)
  t.equal((await ask('/assets/main-1.js', {}, 'DELETE')).status, 405)
})

t.test('the page is requested anew and sent only when it changed', async (t) => {
  for (const path of ['/', '/login']) {
    const first = await ask(path, html)
    const etag = String(first.headers.etag)
    t.match(etag, /^"/)
    const again = await ask(path, { ...html, 'if-none-match': etag })
    t.equal(again.status, 304)
    t.equal(again.text, '')
    const head = await ask(path, html, 'HEAD')
    t.match(head, {
      status: 200,
      text: '',
      headers: { etag, 'content-length': String(page.length) },
    })
  }
})

t.test(
  'files with a hash in their name are kept for ever, as small as the browser takes them',
  async (t) => {
    const plain = await ask('/assets/main-1.js')
    t.match(plain, { status: 200, text: script })
    t.match(plain.headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    })
    t.equal(plain.headers['content-security-policy'], undefined)
    const zipped = await ask('/assets/main-1.js', { 'accept-encoding': 'gzip' })
    t.equal(zipped.headers['content-encoding'], 'gzip')
    t.equal(String(gunzipSync(zipped.bytes)), script)
    const browser = await ask('/assets/main-1.js', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    t.equal(browser.headers['content-encoding'], 'br')
    t.strictSame(browser.bytes, brotliCompressSync(script), 'the file itself')
    t.equal(String(brotliDecompressSync(browser.bytes)), script)
    t.match((await ask('/assets/font-1.woff2')).headers, { 'content-type': 'font/woff2' })
    t.match((await ask('/assets/main-1.css')).headers, { 'content-type': /^text\/css/ })
    t.match((await ask('/favicon.svg')).headers, {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=3600',
      'content-security-policy': /sandbox/,
    })
  },
)

t.test('nothing outside the folder, nothing hidden', async (t) => {
  const paths = [
    ...['/assets/.env', '/.hidden', '/assets/../../secret.txt', '/assets/..%2f..%2fsecret.txt'],
    ...['/assets/%2e%2e/%2e%2e/secret.txt', '/assets/..%5c..%5csecret.txt', '/assets/%2eenv'],
    ...['/assets/main-1.js%00.css', '/assets/%00', '/assets/deep', '/%2e%2e/secret.txt'],
    ...[
      '/assets/main-1.js.gz',
      '/assets/%zz',
      '/assets//main-1.js',
      '/assets/%c0%ae%c0%ae/secret.txt',
    ],
    '//etc/passwd',
  ]
  for (const path of paths) {
    const { status, text } = await ask(path)
    t.ok(status === 404 || status === 400, `${path} ${status}`)
    t.notMatch(text, /outside|inside/, path)
  }
})

t.test('[LIMIT-7] pages no route serves are counted, files and the root never', async (t) => {
  const one = { ...html, 'x-forwarded-for': '203.0.113.7' }
  for (let turn = 0; turn < 5; turn += 1) {
    t.equal((await ask('/', one)).status, 200)
    t.equal((await ask('/assets/main-1.js', one)).status, 200)
    t.equal((await ask('/assets/nothing.js', one)).status, 404)
    t.equal((await ask('/favicon.svg', one)).status, 200)
  }
  t.match(await ask('/login', one), { status: 200, headers: { 'x-ratelimit-remaining': '1' } })
  t.equal((await ask('/dashboard', one)).status, 200)
  const result = await ask('/login', one)
  t.match(result, { status: 429, headers: { 'retry-after': /^\d+$/ } })
  t.match(JSON.parse(result.text), { success: false, code: 'rate_limit_exceeded' })
  t.equal((await ask('/', one)).status, 200, 'the root still is')
})

t.test('pages may show the images an operator named, from their hosts alone', async (t) => {
  const policy = async () => String((await ask('/', html)).headers['content-security-policy'])
  const sources = async () => /img-src ([^;]*)/.exec(await policy())?.[1]
  t.equal(await sources(), "'self' data: blob:")
  await gateway.admin.option('Logo', 'https://images.example:8443/logo.png?size=1')
  await gateway.admin.option('WeChatAccountQRCodeImageURL', 'https://qr.example/code.png')
  t.equal(await sources(), "'self' data: blob: https://qr.example https://images.example:8443")
  for (const logo of [
    "https://a;script-src 'none'/x",
    'https://a;b/x.png',
    'http://plain.example/x',
    '/logo.png',
    '',
  ]) {
    await gateway.admin.option('Logo', logo)
    t.equal(await sources(), "'self' data: blob: https://qr.example", logo)
  }
})

t.test('[AUTH-7] pages may load the bot challenge while it is on, and never besides', async (t) => {
  const policy = async () => String((await ask('/', html)).headers['content-security-policy'])
  const sources = async (of: string) => new RegExp(`${of}-src ([^;]*)`).exec(await policy())?.[1]
  const both = async () => [await sources('script'), await sources('frame')]
  t.same(await both(), ["'self'", "'self'"])
  await gateway.admin.option('TurnstileSiteKey', 'site')
  await gateway.admin.option('TurnstileSecretKey', 'secret')
  t.same(await both(), ["'self'", "'self'"], 'keys alone change nothing')
  await gateway.admin.option('TurnstileCheckEnabled', true)
  const open = "'self' https://challenges.cloudflare.com"
  t.same(await both(), [open, open])
  t.equal(await sources('connect'), "'self'")
  t.equal(await sources('default'), "'self'")
  await gateway.admin.option('TurnstileCheckEnabled', false)
  t.same(await both(), ["'self'", "'self'"])
})

t.test('files are sent in parts, and not at all where the browser has them', async (t) => {
  const first = await ask('/assets/main-1.js')
  const etag = String(first.headers.etag)
  const again = await ask('/assets/main-1.js', { 'if-none-match': etag })
  t.match(again, { status: 304, text: '' })
  const head = await ask('/assets/main-1.js', {}, 'HEAD')
  t.match(head, { status: 200, text: '', headers: { 'content-length': String(script.length) } })
  const part = await ask('/assets/main-1.js', { range: 'bytes=0-5' })
  t.match(part, { status: 206, text: 'export' })
  t.match(await ask('/assets/main-1.js', { range: 'bytes=999999-' }), { status: 416 })
  for (const path of ['/assets/main-1.js.br', '/assets/main-1.js.map', '/favicon.svg.gz']) {
    t.equal((await ask(path)).status, 404, path)
  }
})

t.test('every answer tells the browser what it is not to do with it', async (t) => {
  const paths = [
    ...['/', '/login', '/index.html', '/nothing', '/api', '/api/status', '/api/nothing'],
    ...['/api/user/self', '/assets/main-1.js', '/assets/nothing.js', '/favicon.svg', '/live'],
    ...['/health', '/metrics', '/v1/models', '/v1/nothing', '/dashboard/billing/usage'],
  ]
  for (const path of paths) {
    for (const accept of [html, {}]) {
      const { headers } = await ask(path, accept)
      t.equal(headers['x-content-type-options'], 'nosniff', path)
      t.equal(headers['set-cookie'], undefined, path)
      t.equal(headers['x-powered-by'], undefined, path)
      if (/^\/(?:v1|assets|favicon|dashboard)/.test(path)) continue
      t.match(headers, {
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': /frame-ancestors 'none'/,
      })
    }
  }
})

t.test('a link or a picture in a page does nothing in the name of who sees it', async (t) => {
  const signIn = await fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rootPerson),
  })
  const cookie = signIn.headers.getSetCookie()[0]!.split(';')[0]!
  const sendRequest = async (path: string, use: string, site = 'same-origin') =>
    (await ask(path, { cookie, 'sec-fetch-dest': use, 'sec-fetch-site': site })).status
  for (const use of ['document', 'image', 'iframe', 'script', 'style']) {
    t.equal(await sendRequest('/api/channel/test', use), 403, use)
    t.equal(await sendRequest('/api/user/logout', use), 403, use)
  }
  t.equal(
    await sendRequest('/api/channel/', 'document', 'none'),
    200,
    'who types an address means it',
  )
  t.equal(await sendRequest('/api/channel/', 'empty'), 200)
})
