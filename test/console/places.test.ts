/** Other places one signs in by, in a real browser: signing in, joining, binding, and whatever goes wrong on the way back. */
import { createHash, createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import t from 'tap'
import { management } from '../kit/management.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import {
  clientSecret,
  known,
  localPlace,
  openCompany,
} from '../plugins/management/oauth-fixture.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { field, guest, member, password } from './kit/guests.js'

t.test('other places', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const testGateway = await openConsole(t)
  const { gateway, page, open, picture, expectError } = testGateway
  const { admin } = gateway
  /** Runs the official account of WeChat. */
  const helper = await scriptedUpstream(t)
  expectError(/status of 400/)

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
        const own = await guest(t, testGateway)
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
    const own = await guest(t, testGateway)
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
      const people: Readonly<Record<string, string>> = {
        '482913': 'o6_bmjrPTlm6_2sgVt7hMZOPfL2M',
        '719046': 'o6_bmjrPTlm6_of_somebody_else',
      }
      helper.script(async (request, response) => {
        const person = people[request.path.split('code=')[1] ?? '']
        const result = { success: person !== undefined, message: '', data: person ?? '' }
        await json(200, result)(request, response)
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
        const own = await guest(t, testGateway, options)
        own.expectError(/status of (?:400|401|403)/)
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
        await dialog.locator('.n-form-item').getByText('Ask for a new one there.').waitFor()
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

  await t.test('places are bound in the profile, and unbound with a proof', async (t) => {
    const place = await localPlace(t, gateway.url)
    await admin.option('oidc.well_known', `${place.issuer}/.well-known/openid-configuration`)
    await admin.option('oidc.enabled', true)
    await admin.option('WeChatAuthEnabled', true)
    known(place, 'elsewhere')
    await member(gateway, 'bea')
    await member(gateway, 'cea')
    const bindingAs = async (username: string) => {
      const own = await guest(t, testGateway)
      own.expectError(/status of (?:400|401|403|409)/)
      await own.page.route('https://qr.example/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: qrPicture }),
      )
      await signIn(own.context, gateway.url, { username, password })
      await own.context.setExtraHTTPHeaders({ 'x-person': 'elsewhere' })
      await own.open('/profile')
      await own.page.getByRole('button', { name: 'Bind OpenID Connect' }).click()
      return own
    }
    const own = await bindingAs('bea')
    await own.page.getByText('You can sign in with OpenID Connect from now on.').waitFor()
    await own.page.waitForURL('**/profile')
    const card = own.page.getByTestId('bindings')
    await card.getByText('as elsewhere').waitFor()
    await card.getByRole('button', { name: 'Bind WeChat' }).click()
    const dialog = own.page.getByRole('dialog')
    await field(own.page, 'place-code').fill('000000')
    await own.page.keyboard.press('Enter')
    await dialog.locator('.n-form-item').getByText('Ask for a new one there.').waitFor()
    t.equal(await field(own.page, 'place-code').inputValue(), '000000')
    await field(own.page, 'place-code').fill('719046')
    await own.page.keyboard.press('Enter')
    await card.getByRole('button', { name: 'Unbind WeChat' }).waitFor()
    await own.picture('bindings-light')
    t.strictSame(await findings(own.page), [])

    const other = await bindingAs('cea')
    await other.page.getByText('belongs to another user here').waitFor()
    await other.picture('bind-refused-light')
    await other.page.getByRole('link', { name: 'Back to your account' }).click()
    await other.page.getByTestId('bindings').waitFor()
    await other.context.close()

    await card.getByRole('button', { name: 'Unbind OpenID Connect' }).click()
    await own.page.getByRole('dialog').getByRole('button', { name: 'Unbind' }).click()
    await byPassword(own.page)
    await card.getByRole('button', { name: 'Bind OpenID Connect', exact: true }).waitFor()
    await own.context.close()
    const bea = management(gateway.url)
    await bea.login('bea', password)
    t.match(await bea.must('GET', '/api/user/oauth/bindings'), [{ provider: 'wechat' }])
    await admin.option('WeChatAuthEnabled', false)
    await admin.option('oidc.enabled', false)
  })

  await t.test(
    '[AUTH-8] whatever goes wrong on the way back is stated, with a way on',
    async (t) => {
      const place = await localPlace(t, gateway.url)
      const company = await openCompany(admin, place)
      const { id } = await admin.must('POST', '/api/user/', { username: 'fay', password })
      const { knex } = gateway.gateway.service('database')
      await knex('oauth_identities').insert({
        ...{ user_id: id, provider: 'company', subject: 'fay', name: 'fay' },
      })
      const provider = `/api/custom-oauth-provider/${company}`
      const policy = (access_policy: readonly object[]) =>
        admin.must('PUT', provider, { access_policy })
      const manage = (action: string) => admin.must('POST', '/api/user/manage', { id, action })
      const own = await guest(t, testGateway)
      own.expectError(/status of (?:400|401|403|502)|ERR_FAILED/)
      const goingWrong: readonly (readonly [string, string, () => unknown, () => unknown])[] = [
        [
          'fay',
          'you are not among them',
          () => policy([{ field: 'team', operator: 'eq', value: 'blue' }]),
          () => policy([]),
        ],
        ['fay', 'This account is disabled.', () => manage('disable'), () => manage('enable')],
        [
          'newcomer',
          'is switched off',
          () => admin.option('RegisterEnabled', false),
          () => admin.option('RegisterEnabled', true),
        ],
        [
          'fay',
          'did not confirm who you are',
          () => admin.must('PUT', provider, { token_endpoint: 'http://127.0.0.1:1/token' }),
          () => admin.must('PUT', provider, { token_endpoint: `${place.issuer}/token` }),
        ],
        [
          'fay',
          'cannot be reached',
          () => own.page.route('**/api/oauth/company', (route) => route.abort()),
          () => own.page.unroute('**/api/oauth/company'),
        ],
      ]
      for (const [person, words, before, after] of goingWrong) {
        await before()
        await own.context.clearCookies()
        await own.context.setExtraHTTPHeaders({ 'x-person': known(place, person) })
        await own.open('/login')
        await own.page.getByRole('button', { name: 'Continue with Company' }).click()
        await own.page.getByTestId('problem').getByText(words).waitFor()
        await own.page.getByRole('link', { name: 'Back to the sign-in' }).click()
        await field(own.page, 'username').waitFor()
        await after()
      }
      t.equal((await admin.must('GET', '/api/user/search?keyword=newcomer')).total, 0)
      await own.open('/oauth/company?code=stolen&state=unknown')
      await own.page.getByTestId('problem').getByText('was not begun in this browser').waitFor()
      // Whoever comes back by the browser's own way finds the page as they left it.
      const stays = { state: 'state', authorize_url: `${gateway.url}/login#elsewhere` }
      await own.page.route('**/api/oauth/state', (route) =>
        route.fulfill({ json: { success: true, data: stays } }),
      )
      await own.open('/login')
      await own.page.getByRole('button', { name: 'Continue with Company' }).click()
      const spinning = own.page.locator('[data-test=places] .n-base-loading')
      await spinning.waitFor()
      await own.page.evaluate(
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })), undefined",
      )
      await spinning.waitFor({ state: 'detached' })
      await own.context.close()
    },
  )

  await t.test('two who edit a provider keep what the other has changed', async (t) => {
    const [{ id }] = await admin.must('GET', '/api/custom-oauth-provider/')
    const provider = `/api/custom-oauth-provider/${id}`
    await open(`/custom-oauth/${id}`)
    await field(page, 'name').fill('Company house')
    await admin.must('PUT', provider, { scopes: 'openid', user_id_field: 'uid' })
    await page.getByTestId('add-rule').click()
    await page.getByTestId('add-rule').click()
    await page.getByLabel('Field of rule 1').fill('team')
    await page.getByLabel('Value of rule 1').fill('blue')
    await page.getByTestId('save').click()
    const second = page.getByRole('group', { name: 'Rule 2' })
    await second.getByRole('alert').waitFor()
    t.equal(await page.getByRole('group', { name: 'Rule 1' }).getByRole('alert').count(), 0)
    await picture('provider-rule-fault')
    await page.getByRole('button', { name: 'Delete rule 2' }).click()
    await page.getByTestId('save').click()
    await page.waitForURL('**/custom-oauth')
    t.match(await admin.must('GET', provider), {
      ...{ name: 'Company house', scopes: 'openid', user_id_field: 'uid' },
      access_policy: [{ field: 'team', operator: 'eq', value: 'blue' }],
    })
  })
})

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

async function byPassword(page: Page): Promise<void> {
  const dialog = page.getByTestId('step-up')
  await dialog.locator('input[type=password]').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}
