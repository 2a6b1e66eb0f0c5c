/** What browsers are reported to refuse, and the texts anyone may read (E3). */
import t from 'tap'
import { transportSecurity } from '../../kernel/http/security-headers.js'
import { startGateway } from '../kit/gateway.js'

const { url, admin: root } = await startGateway(t, {
  funds: 0,
  environment: { trustedProxies: ['127.0.0.1'] },
})

const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }

async function headersOf(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${url}${path}`, { headers })
  await answer.arrayBuffer()
  return Object.fromEntries(answer.headers)
}

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

t.test(
  'answers of the management API are no pages, are kept nowhere and belong to no other site',
  async (t) => {
    const paths = ['/api/status', '/api/notice', '/api/user/self', '/api/nothing', '/api/option/']
    for (const path of paths) {
      const headers = await headersOf(path, { origin: 'https://elsewhere.example' })
      t.match(headers, {
        ...everywhere,
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
      const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
      t.strictSame(open, [], path)
    }
  },
)

t.test('a preflight of a foreign page gets nothing from the management API', async (t) => {
  const answer = await fetch(`${url}/api/option/`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' },
  })
  t.ok(answer.status >= 400)
  t.equal(answer.headers.get('access-control-allow-origin'), null)
})

t.test('relay paths are open to pages, without credentials', async (t) => {
  const headers = await headersOf('/v1/models', { origin: 'https://elsewhere.example' })
  t.equal(headers['access-control-allow-origin'], '*')
  t.equal(headers['access-control-allow-credentials'], undefined)
  t.equal(headers['x-content-type-options'], 'nosniff')
})

t.test('browsers are held to HTTPS where the request came by it', async (t) => {
  const plain = await headersOf('/api/status')
  t.equal(plain['strict-transport-security'], undefined)
  const secure = await headersOf('/api/status', https)
  t.equal(secure['strict-transport-security'], 'max-age=31536000')
  const words = { subdomains: '; includeSubDomains', preload: '; includeSubDomains; preload' }
  for (const [hsts, word] of Object.entries(words) as ['subdomains' | 'preload', string][]) {
    t.strictSame(transportSecurity(hsts), {
      'Strict-Transport-Security': `max-age=31536000${word}`,
    })
  }
})

t.test('an unknown page has the headers of what refuses', async (t) => {
  t.match(await headersOf('/no/such/page'), everywhere)
})

t.test('texts are read by anyone, as root wrote them', async (t) => {
  const texts = [
    ['/api/notice', 'Notice'],
    ['/api/about', 'About'],
    ['/api/home_page_content', 'HomePageContent'],
    ['/api/user-agreement', 'legal.user_agreement'],
    ['/api/privacy-policy', 'legal.privacy_policy'],
  ] as const
  const read = async (path: string) => root.must('GET', path)
  for (const [path, key] of texts) {
    t.equal(await read(path), '', path)
    await root.option(key, `# ${key}\n<script>alert(1)</script>`)
    t.equal(await read(path), `# ${key}\n<script>alert(1)</script>`)
  }
  const status = await root.must('GET', '/api/status')
  t.match(status, { user_agreement_enabled: true, privacy_policy_enabled: true })
})

t.test('lists of the console are reported in the status while they are shown', async (t) => {
  const faq = [{ question: 'Who?', answer: 'You.' }]
  await root.option('console_setting.faq', faq)
  t.match(await root.must('GET', '/api/status'), { faq_enabled: true, faq })
  await root.option('console_setting.faq_enabled', false)
  const hidden = await root.must('GET', '/api/status')
  t.equal(hidden.faq_enabled, false)
  t.equal(hidden.faq, undefined)
  const bad = { key: 'console_setting.faq', value: '[{"question":1}]' }
  t.match(await root.call('PUT', '/api/option/', bad), { status: 400 })
})

t.test('groups of monitors are named, and nobody is called for them', async (t) => {
  const groups = [{ categoryName: 'API', url: 'http://127.0.0.1:1', slug: 'api' }]
  await root.option('console_setting.uptime_kuma_groups', groups)
  t.same(await root.must('GET', '/api/uptime/status'), [{ categoryName: 'API', monitors: [] }])
})
