/** Signing in, in a real browser: every way there is, and what is said where it fails. */
import { createHash, createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import t from 'tap'
import { noRateLimits } from '../kit/gateway.js'
import { management, root } from '../kit/management.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { clientSecret, known, localPlace } from '../plugins/management/oauth-house.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { field, giveIn, guest, member, password, submit, until } from './kit/guests.js'

t.test('coming in', { skip: noBrowser, timeout: 150_000 }, async (t) => {
  const house = await openConsole(t, { signedIn: false })
  const { gateway, page, open, picture, expectError } = house
  const { admin } = gateway
  expectError(/status of (?:401|400|403|409)/)

  await t.test(
    '[AUTH-8] a wrong password keeps the name, and nothing leads to another site',
    async (t) => {
      await open('/login?redirect=https%3A%2F%2Fother.example%2F')
      await giveIn(page, root.username, 'not the password')
      await page.getByText('User name or password is not right.').waitFor()
      t.equal(await field(page, 'username').inputValue(), root.username)
      await picture('login-wrong-light')
      t.strictSame(await findings(page), [])
      await giveIn(page, root.username)
      await page.waitForURL('**/dashboard')
      for (const wish of [
        '//other.example',
        '/\\other.example',
        'javascript:alert(1)',
        '/.//other.example',
      ]) {
        const other = await guest(t, house)
        other.expectError(/401/)
        await other.open(`/login?redirect=${encodeURIComponent(wish)}`)
        await giveIn(other.page, root.username)
        await other.page.waitForURL((url) => url.pathname !== '/login')
        t.equal(other.page.url(), `${gateway.url}/dashboard`, wish)
        await other.context.close()
      }
    },
  )

  await t.test(
    'an account with an app signs in by its code, and once by each recovery code',
    async (t) => {
      await member(gateway, 'ada')
      const ada = management(gateway.url)
      await ada.login('ada', password)
      const proof = await ada.prove('two_factor')
      const { secret, backup_codes } = await ada.must('POST', '/api/user/2fa/setup', {}, proof)
      const app = new TOTP({ secret: Secret.fromBase32(secret) })
      // Codes of the app count once each, so the next one is that of the step after this.
      await ada.must('POST', '/api/user/2fa/enable', { code: app.generate() })

      const own = await guest(t, house)
      own.expectError(/status of (?:401|403)/)
      await own.open('/login?redirect=%2Fpricing')
      await giveIn(own.page, 'ada')
      await own.page.locator('[data-test=second-step]').waitFor()
      await own.picture('second-step-light')
      t.strictSame(await findings(own.page), [])
      await field(own.page, 'code').fill('000000')
      await own.page.getByText('The code, password or passkey is not right.').waitFor()
      await field(own.page, 'code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
      await own.page.waitForURL('**/pricing')
      await own.context.close()

      const lost = await guest(t, house, { theme: 'dark' })
      lost.expectError(/status of 401/)
      await lost.open('/login')
      await giveIn(lost.page, 'ada')
      await lost.page.getByRole('button', { name: 'Use a recovery code' }).click()
      await field(lost.page, 'code').fill(backup_codes[0])
      await lost.picture('second-step-recovery-dark')
      await submit(lost.page).click()
      await lost.page.waitForURL('**/dashboard')
      await lost.context.close()
      const { backup_codes_remaining } = await ada.must('GET', '/api/user/2fa/status')
      t.equal(backup_codes_remaining, backup_codes.length - 1)
    },
  )

  await t.test('a passkey of the device signs in whoever it belongs to', async (t) => {
    await admin.option('ServerAddress', gateway.url.replace('127.0.0.1', 'localhost'))
    await admin.option('passkey.enabled', true)
    const own = await guest(t, house)
    own.expectError(/status of 401/)
    const session = await own.context.newCDPSession(own.page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const at = gateway.url.replace('127.0.0.1', 'localhost')
    await own.page.goto(`${at}/login`)
    await own.page.locator('[data-test=passkey]').waitFor()
    await own.picture('login-passkey-light')
    await member(gateway, 'pat')
    await makePasskey(own.page, 'pat')
    await own.page.goto(`${at}/login?redirect=%2Fabout`)
    await own.page.locator('[data-test=passkey]').click()
    await own.page.waitForURL('**/about')
    const self = await own.page.evaluate("fetch('/api/user/self').then((answer) => answer.json())")
    t.match(self, { data: { username: 'pat' } })
    await own.context.close()
    await admin.option('passkey.enabled', false)
  })

  await t.test(
    '[AUTH-8] signing in by another place, joining by it, and a refusal there',
    async (t) => {
      const place = await localPlace(t, gateway.url)
      await admin.option('ServerAddress', gateway.url)
      await admin.option('oidc.client_id', 'gateway')
      await admin.option('oidc.client_secret', clientSecret)
      await admin.option('oidc.well_known', `${place.issuer}/.well-known/openid-configuration`)
      await admin.option('oidc.enabled', true)
      const comingAs = async (person: string) => {
        const own = await guest(t, house)
        own.expectError(/status of (?:400|401)/)
        await own.context.setExtraHTTPHeaders({ 'x-person': person })
        await own.open('/login?redirect=%2Fnotice')
        await own.page.locator('[data-test=places] button').waitFor()
        await own.picture('login-places-light')
        await own.page.locator('[data-test=places] button').click()
        return own
      }
      const first = await comingAs(known(place, 'olga'))
      await first.page.waitForURL('**/notice')
      t.match(await admin.must('GET', '/api/user/search?keyword=olga'), {
        items: [{ username: 'olga' }],
      })
      await first.context.close()

      const refused = await comingAs('nobody')
      await refused.page.getByText('The sign-in was refused at').waitFor()
      t.equal(
        new URL(refused.page.url()).search,
        '',
        'what the place sent is gone from the address',
      )
      await refused.picture('oauth-refused-light')
      t.strictSame(await findings(refused.page), [])
      await refused.page.getByRole('link', { name: 'Back to the sign-in' }).click()
      await refused.page.waitForURL('**/login')
      await refused.context.close()
      await admin.option('oidc.enabled', false)
    },
  )

  await t.test('Telegram brings signed fields behind the #, and they suffice', async (t) => {
    const token = '110201543:a-token-for-tests'
    await admin.option('ServerAddress', gateway.url)
    await admin.option('TelegramBotToken', token)
    await admin.option('TelegramOAuthEnabled', true)
    const own = await guest(t, house)
    own.expectError(/status of 401/)
    await own.page.route('https://oauth.telegram.org/**', (route) => {
      const back = new URL(route.request().url()).searchParams.get('return_to')
      const location = `${back}#tgAuthResult=${signedBy(token)}`
      return route.fulfill({ status: 302, headers: { location } })
    })
    await own.open('/login?redirect=%2Fabout')
    await own.page.getByRole('button', { name: 'Continue with Telegram' }).click()
    await own.page.waitForURL('**/about')
    const { items } = await admin.must('GET', '/api/user/search?keyword=tess')
    t.match(items, [{ username: 'tess' }])
    await own.context.close()
    await admin.option('TelegramOAuthEnabled', false)
  })

  await t.test(
    '[AUTH-8] WeChat: a code of the official account, typed into a dialog',
    async (t) => {
      const helper = await scriptedUpstream(t)
      helper.script(async (request, response) => {
        const known = request.path.endsWith('code=482913')
        const person = { success: known, message: '', data: 'o6_bmjrPTlm6_2sgVt7hMZOPfL2M' }
        await json(200, person)(request, response)
      })
      await admin.option('WeChatServerAddress', helper.url)
      await admin.option('WeChatServerToken', 'wechat-token')
      await admin.option('WeChatAccountQRCodeImageURL', 'https://qr.example/account.png')
      await admin.option('WeChatAuthEnabled', true)
      const looks = { theme: 'dark', viewport: { width: 390, height: 844 } } as const
      for (const [way, options] of [
        ['light', {}],
        ['phone-dark', looks],
      ] as const) {
        const own = await guest(t, house, options)
        own.expectError(/status of (?:400|401|403|502)/)
        await own.page.route('https://qr.example/**', (route) =>
          route.fulfill({ contentType: 'image/svg+xml', body: qrPicture }),
        )
        await own.open('/login?redirect=%2Fabout')
        await own.page.getByRole('button', { name: 'Continue with WeChat' }).click()
        const dialog = own.page.getByRole('dialog')
        const picture = dialog.getByRole('img', { name: 'QR code of the account of WeChat' })
        await picture.waitFor()
        const loaded =
          "document.querySelector('[data-test=place-code] img').decode().then(() => true)"
        t.ok(await own.page.evaluate(loaded), 'the policy lets the picture in')
        await own.picture(`wechat-${way}`)
        t.strictSame(await findings(own.page), [])
        await field(own.page, 'place-code').fill('000000')
        await field(own.page, 'place-code').press('Enter')
        await dialog.locator('[data-test=problem]').waitFor()
        await own.picture(`wechat-wrong-${way}`)
        await field(own.page, 'place-code').fill('482913')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await own.page.waitForURL('**/about')
        const self = await own.page.evaluate(
          "fetch('/api/user/self').then((answer) => answer.json())",
        )
        t.match(self, { success: true })
        await own.context.close()
      }
      await admin.option('WeChatAuthEnabled', false)
    },
  )

  await t.test('binding leads back to the account, which says so', async (t) => {
    const own = await guest(t, house)
    const place = await localPlace(t, gateway.url)
    await admin.option('oidc.well_known', `${place.issuer}/.well-known/openid-configuration`)
    await admin.option('oidc.enabled', true)
    own.expectError(/status of 401/)
    await member(gateway, 'bea')
    await own.open('/login')
    await giveIn(own.page, 'bea')
    await own.page.waitForURL('**/dashboard')
    await own.context.setExtraHTTPHeaders({ 'x-person': known(place, 'bea-elsewhere') })
    await own.page.evaluate(`(async () => {
      const form = { provider: 'oidc', intent: 'bind' }
      const answer = await fetch('/api/oauth/state', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(form),
      })
      location.assign((await answer.json()).data.authorize_url)
    })()`)
    await own.page.getByText('You can sign in with OpenID Connect from now on.').waitFor()
    await own.page.waitForURL('**/profile/security')
    const bea = management(gateway.url)
    await bea.login('bea', password)
    t.match(await bea.must('GET', '/api/user/oauth/bindings'), [{ provider: 'oidc' }])
    await own.context.close()
    await admin.option('oidc.enabled', false)
  })

  await t.test('[AUTH-8] a state of nobody is refused on the page of return', async (t) => {
    const own = await guest(t, house)
    own.expectError(/status of (?:400|401|403)/)
    await own.open('/oauth/oidc?code=stolen&state=unknown')
    await own.page.locator('[data-test=problem]').waitFor()
    t.match(await own.page.locator('[data-test=problem]').innerText(), /provider/)
    await own.context.close()
  })
})

t.test(
  '[LIMIT-8] after too many sign-ins the page counts down and sends nothing before',
  { skip: noBrowser },
  async (t) => {
    const limited = { enabled: true, limit: 2, windowSeconds: 300 }
    const { page, open, picture, expectError } = await openConsole(t, {
      signedIn: false,
      environment: { rateLimits: { ...noRateLimits, login: limited } },
    })
    expectError(/status of (?:401|429)/)
    await open('/login')
    const statuses: number[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('/api/user/login')) statuses.push(answer.status())
    })
    for (const tries of [1, 2, 3]) {
      await giveIn(page, 'nobody', 'wrong wrong')
      await until(() => statuses.length === tries)
    }
    const button = page.getByRole('button', { name: /^Try again in \d+ s$/ })
    await button.waitFor()
    await field(page, 'password').press('Enter')
    await page.waitForLoadState('networkidle')
    t.strictSame(statuses, [401, 401, 429])
    t.ok(await button.isDisabled())
    t.equal(await field(page, 'username').inputValue(), 'nobody')
    await picture('login-wait-light')
    t.strictSame(await findings(page), [])
  },
)

const qrPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="220" height="220" viewBox="0 0 11 11">
  <path fill="#fff" d="M0 0h11v11H0z"/><path d="M1 1h3v3H1zM7 1h3v3H7zM1 7h3v3H1zM5 2h1v2H5zM5 5h2v1H5zM8 5h1v3H8zM5 8h2v2H5z"/>
</svg>`

/** As Telegram signs who somebody is. */
function signedBy(token: string): string {
  const auth_date = Math.floor(Date.now() / 1000)
  const fields = { id: 4711, first_name: 'Tess', username: 'tess', auth_date }
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(token).digest()
  const hash = createHmac('sha256', key).update(lines.sort().join('\n')).digest('hex')
  return Buffer.from(JSON.stringify({ ...fields, hash })).toString('base64url')
}

/** As a page of the account does it, by the browser's own means. */
async function makePasskey(page: Page, username: string): Promise<void> {
  const made = await page.evaluate(`(async () => {
    const post = async (path, body, headers = {}) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const { data, message } = await answer.json()
      if (!answer.ok) throw new Error(path + ': ' + message)
      return data
    }
    const [username, password] = ${JSON.stringify([username, password])}
    await post('/api/user/login', { username, password })
    const form = { method: 'password', password, scope: 'passkey_register' }
    const { proof_token } = await post('/api/verify', form)
    const by = { 'x-verification-token': proof_token }
    const options = await post('/api/user/passkey/register/begin', {}, by)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const { id, rawId, type, response } = (await navigator.credentials.create({ publicKey })).toJSON()
    const { clientDataJSON, attestationObject, transports } = response
    const kept = { id, rawId, type, name: 'device' }
    const told = { ...kept, response: { clientDataJSON, attestationObject, transports } }
    await post('/api/user/passkey/register/finish', told)
    await post('/api/user/logout', {})
    return true
  })()`)
  if (made !== true) throw new Error('no passkey was made')
}
