/** Nobody is shut out by strangers: wrong passwords, codes and requests for mails, from as many addresses as one likes. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import type { Environment, RateLimit } from '../../kernel/contract/services/system.js'
import { noRateLimits, startGateway } from '../kit/gateway.js'
import { management, root } from '../kit/management.js'
import { solved } from '../kit/puzzle.js'

t.setTimeout(360_000)

const login: RateLimit = { enabled: true, limit: 10, windowSeconds: 900 }
const rateLimits: Environment['rateLimits'] = { ...noRateLimits, login }
const redisUrl = process.env.REDIS_URL

interface Outcome {
  readonly status: number
  readonly code: string
  readonly headers: Headers
  readonly cookies: string
}

interface RequestOptions {
  readonly address?: string
  readonly cookie?: string
  readonly solution?: string
}

let networks = 0
/** As every machine of a botnet has its own. */
const elsewhere = () => `9.${(++networks >> 8) & 255}.${networks & 255}.1`

for (const [name, redis] of [
  ['counted in the process', undefined],
  ['counted in Redis', redisUrl],
] as const) {
  t.test(name, { skip: name.endsWith('Redis') && redis === undefined }, async (t) => {
    const gateway = await startGateway(t, {
      environment: {
        rateLimits,
        trustedProxies: ['127.0.0.1'],
        ...(redis !== undefined && { redisUrl: redis }),
      },
    })
    const { url, admin } = gateway

    async function ask(
      path: string,
      body: object,
      requested: RequestOptions = {},
    ): Promise<Outcome> {
      const { address = elsewhere(), cookie = '', solution } = requested
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': address,
          cookie,
          ...(solution !== undefined && { 'x-challenge-solution': solution }),
        },
        body: JSON.stringify(body),
      })
      const { code = '' } = (await answer.json()) as { code?: string }
      const set = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])
      return { status: answer.status, code, headers: answer.headers, cookies: set.join('; ') }
    }

    /** Names of their own for each way of counting, since Redis outlives a gateway. */
    const suffix = Math.random().toString(36).slice(2, 8)
    async function person(name: string) {
      const username = `${name}${suffix}`
      await admin.must('POST', '/api/user/', { username, password: root.password, role: 1 })
      return username
    }
    const signIn = (
      username: string,
      requested?: RequestOptions,
      password: string = root.password,
    ) => ask('/api/user/login', { username, password }, requested)
    const wrong = (username: string, requested?: RequestOptions) =>
      signIn(username, requested, 'a guess of theirs')

    async function flood(username: string, tries: number): Promise<Outcome> {
      let result: Outcome | undefined
      for (let at = 0; at < tries; at++) result = await wrong(username)
      return result!
    }

    await t.test('[LIMIT-5] wrong passwords of strangers shut no owner out', async (t) => {
      const ada = await person('ada')
      const home = await signIn(ada)
      const own = management(url)
      await own.login(ada, root.password)
      t.equal((await flood(ada, 40)).status, 403)
      t.equal((await signIn(ada, { cookie: home.cookies })).status, 200, 'on a browser of theirs')
      t.equal((await own.prove('access_token')) && 200, 200, 'in a session')
      const request = await signIn(ada)
      t.strictSame([request.status, request.code], [403, 'work_required'], 'on a new one')
      const solution = solved(request.headers.get('x-challenge')!)
      t.equal((await signIn(ada, { solution })).status, 200, 'after a proof')
      t.equal((await signIn(ada, { solution })).code, 'work_required', 'which counts once')
    })

    await t.test('[LIMIT-5] one network has ten tries of an account, and one alone', async (t) => {
      const bob = await person('bob')
      const carol = await person('carol')
      const near = { address: '2001:db8:1:2::1' }
      for (let at = 1; at <= 10; at++) {
        t.equal((await wrong(bob, { address: `2001:db8:1:2::${at}` })).status, 401)
      }
      const refused = await signIn(bob, near)
      t.strictSame([refused.status, refused.headers.get('x-ratelimit-policy')], [429, '10;w=900'])
      t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
      t.equal((await signIn(carol, near)).status, 200)
      t.equal((await signIn(bob)).status, 200, 'from elsewhere')
    })

    await t.test(
      '[LIMIT-5] a proof is dearer the more was tried, and for one account',
      async (t) => {
        const dora = await person('dora')
        const evan = await person('evan')
        const first = (await flood(dora, 21)).headers.get('x-challenge')!
        t.match(first, /^15\./)
        await flood(evan, 21)
        t.equal((await wrong(evan, { solution: solved(first) })).code, 'work_required')
        t.equal((await wrong(dora, { solution: 'nonsense' })).code, 'work_required')
        t.equal((await wrong(dora, { solution: first })).code, 'work_required', 'it is not solved')
        for (let at = 0; at < 21; at++) {
          const { headers } = await wrong(dora)
          await wrong(dora, { solution: solved(headers.get('x-challenge')!) })
        }
        t.match((await wrong(dora)).headers.get('x-challenge'), /^16\./)
      },
    )

    await t.test(
      '[LIMIT-5] of many guesses at once no more pass than one after another',
      async (t) => {
        const gil = await person('gil')
        const results = await Promise.all(Array.from({ length: 60 }, () => wrong(gil)))
        const looked = results.filter(({ status }) => status === 401).length
        t.equal(looked, 20)
      },
    )

    await t.test(
      '[LIMIT-5] the cookie of a known browser is of one account and opens nothing',
      async (t) => {
        const [fay, hal] = [await person('fay'), await person('hal')]
        const device = (result: Outcome) => /device=[^;]+/.exec(result.cookies)![0]
        const ofFay = device(await signIn(fay))
        t.equal((await fetch(`${url}/api/user/self`, { headers: { cookie: ofFay } })).status, 401)
        await flood(hal, 25)
        t.equal((await wrong(hal, { cookie: ofFay })).code, 'work_required')
        const forged = `${ofFay.slice(0, -2)}${ofFay.endsWith('AA') ? 'BB' : 'AA'}`
        await flood(fay, 25)
        t.equal((await wrong(fay, { cookie: forged })).code, 'work_required')
        for (let at = 0; at < 10; at++) t.equal((await wrong(fay, { cookie: ofFay })).status, 401)
        t.equal((await wrong(fay, { cookie: ofFay })).status, 429, 'its own tries are counted')
      },
    )

    await t.test('[LIMIT-5] a name nobody has is treated as one that somebody has', async (t) => {
      const nobody = `nobody${suffix}`
      const result = await flood(nobody, 21)
      t.strictSame([result.status, result.code], [403, 'work_required'])
    })

    await t.test(
      '[AUTH-5] wrong codes of who has the password shut out neither session nor browser',
      async (t) => {
        const ivy = await person('ivy')
        const own = management(url)
        await own.login(ivy, root.password)
        const proof = await own.prove('two_factor')
        const { secret, backup_codes: recovery } = await own.must(
          'POST',
          '/api/user/2fa/setup',
          {},
          proof,
        )
        const app = new TOTP({ secret: Secret.fromBase32(secret) })
        const code = (steps: number) => app.generate({ timestamp: Date.now() + steps * 30_000 })
        await own.must('POST', '/api/user/2fa/enable', { code: code(-1) })
        const second = async (code: string, requested: RequestOptions = {}) => {
          const begun = await signIn(ivy, requested)
          const cookie = [requested.cookie, begun.cookies].filter(Boolean).join('; ')
          return ask('/api/user/login/2fa', { code }, { ...requested, cookie })
        }
        const home = await second(recovery[0])
        t.equal(home.status, 200)
        const device = { cookie: /device=[^;]+/.exec(home.cookies)![0] }
        for (let at = 0; at < 5; at++) t.equal((await second('000000')).status, 403)
        const locked = await second(code(0))
        t.strictSame([locked.status, locked.code], [429, 'factor_locked'], 'for strangers')
        t.equal((await second(code(0), device)).status, 200, 'on a browser of theirs')
        const form = { scope: 'access_token', method: '2fa', code: code(1) }
        t.equal((await own.call('POST', '/api/verify', form)).status, 200, 'in a session')
        t.equal((await second(recovery[1])).status, 200, 'a recovery code from anywhere')
        for (let at = 0; at < 10; at++)
          await own.call('POST', '/api/verify', { ...form, code: '000000' })
        t.equal(
          (await own.call('POST', '/api/verify', form)).status,
          429,
          'a session is counted too',
        )
      },
    )
  })
}
