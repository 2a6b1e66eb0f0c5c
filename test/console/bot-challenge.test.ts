/** The bot challenge in a real browser: a script as the maker of the widget documents it, and a verifier of our own. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { management } from '../kit/management.js'
import { mailServer } from '../kit/smtp.js'
import { json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { type Console, noBrowser, openConsole } from './kit/browser.js'
import { field, giveIn, guest, member, password, submit, until } from './kit/guests.js'
import { tooWide } from './kit/look.js'
import { addPasskey, passkeyDevice } from './kit/passkeys.js'

const origin = 'https://challenges.cloudflare.com'

/** Draws a frame, and makes one token after the other: by itself, or when the test calls `solve()`. */
const stub = `window.turnstile = (() => {
  const page = Math.random()
  let made = 0
  const stub = { resets: 0, removed: 0, byHand: false }
  const make = (terms) => terms.callback(['good', page, location.pathname, ++made].join(' '))
  const soon = (terms) => stub.byHand || Promise.resolve().then(() => make(terms))
  window.stub = stub
  return {
    render(box, terms) {
      stub.terms = terms
      stub.solve = () => make(terms)
      const frame = document.createElement('iframe')
      frame.src = '${origin}/widget'
      frame.title = 'Bot challenge'
      frame.style.cssText = 'width: 100%; height: 65px; border: 0'
      box.append(frame)
      soon(terms)
      return 'widget'
    },
    reset() {
      stub.resets += 1
      soon(stub.terms)
    },
    remove() {
      stub.removed += 1
    },
  }
})()`

const widget = `<body style="margin: 0; background: #fafafa; border: 1px solid #ddd; height: 63px;
  font: 14px/63px sans-serif; color: #232323"><span style="margin-left: 16px">&#10003; Success!</span>`

t.test('the bot challenge', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const testGateway = await openConsole(t, { signedIn: false })
  const { gateway, page, open, picture, expectError } = testGateway
  const { admin } = gateway
  expectError(/status of (?:401|403)/)
  const shown: string[] = []
  const verifier = await scriptedUpstream(t)
  verifier.script(async (request, response) => {
    const token = new URLSearchParams(request.text).get('response') ?? ''
    const success = token.startsWith('good ') && !shown.includes(token)
    shown.push(token)
    await json(200, { success })(request, response)
  })
  /** Of the tokens shown so far, by the page they were made on. */
  const numbers = (path: string) =>
    shown.flatMap((token) => (token.includes(` ${path} `) ? token.split(' ').at(-1)! : []))
  await member(gateway, 'ada')
  const inForce = async (on: boolean) => admin.option('TurnstileCheckEnabled', on)
  await admin.option('TurnstileSiteKey', 'site-key')
  await admin.option('TurnstileSecretKey', 'secret-key')
  await admin.option('TurnstileVerifyUrl', verifier.url)

  await t.test('[AUTH-7] nothing is loaded from elsewhere while it is off', async (t) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).origin))
    await open('/login')
    await page.waitForLoadState('networkidle')
    t.same([...new Set(requests)], [gateway.url])
    t.equal(await page.locator('[data-test=challenge]').count(), 0)
  })

  await t.test('[AUTH-7] who has the page open when it is switched on is shown it', async (t) => {
    expectError(/Content Security Policy/)
    await serve(page)
    await inForce(true)
    await giveIn(page, 'ada')
    await page.getByText('The bot challenge did not go through.').waitFor()
    await page.getByText('The bot challenge could not be loaded.').waitFor()
    t.equal(await field(page, 'username').inputValue(), 'ada')
    await picture('challenge-missing-light')
    t.strictSame(await findings(page), [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.frameLocator('[data-test=challenge] iframe').getByText('Success!').waitFor()
    await picture('challenge-login-light')
    t.strictSame(await findings(page), [])
    const terms = await page.evaluate(
      '({ sitekey: stub.terms.sitekey, theme: stub.terms.theme, language: stub.terms.language })',
    )
    t.same(terms, { sitekey: 'site-key', theme: 'light', language: 'en' })
  })

  await t.test(
    '[AUTH-7] a try that fails uses its token up, and the next has another',
    async (t) => {
      await giveIn(page, 'ada', 'not the password')
      await page.getByText('User name or password is not right.').waitFor()
      await comes(page, 'stub.resets === 1')
      await giveIn(page, 'ada')
      await page.waitForURL('**/dashboard')
      t.same(numbers('/login'), ['1', '2'])
      t.ok(await page.evaluate('stub.removed > 0'), 'the widget is gone with its page')
    },
  )

  await t.test('[AUTH-7] what is sent waits for who has not solved it yet', async (t) => {
    const own = await newcomer(testGateway)
    await own.open('/login')
    await comes(own.page, 'window.stub?.terms !== undefined')
    await own.page.evaluate("stub.byHand = true, stub.terms['expired-callback']()")
    t.equal(await own.page.evaluate('stub.resets'), 1, 'one that expired is made anew')
    await giveIn(own.page, 'ada')
    await own.page.getByText('Solve the challenge to go on.').waitFor()
    await own.picture('challenge-waits-light')
    t.equal(shown.length, 2, 'nothing was sent')
    await own.page.evaluate("stub.terms['error-callback']('300010')")
    await own.page.getByRole('button', { name: 'Try again' }).waitFor()
    t.equal(await submit(own.page).isDisabled(), false)
    let read = () => {}
    const isRead = new Promise<void>((resolve) => {
      read = resolve
    })
    await own.page.route('**/api/status', async (route) => {
      await isRead
      await route.continue()
    })
    await own.page.getByRole('button', { name: 'Try again' }).click()
    await submit(own.page).click()
    read()
    await own.page.getByText('Solve the challenge to go on.').waitFor()
    await own.page.evaluate('stub.solve()')
    await own.page.waitForURL('**/dashboard')
    await own.context.close()
  })

  await t.test('[AUTH-7] joining takes one token for each thing it asks for', async (t) => {
    const { port, mails } = await mailServer(t)
    await admin.option('SMTPServer', '127.0.0.1')
    await admin.option('SMTPPort', port)
    await admin.option('SMTPFrom', 'gateway@example.com')
    await admin.option('EmailVerificationEnabled', true)
    const own = await newcomer(testGateway, { theme: 'dark' })
    await own.open('/register')
    await field(own.page, 'email').fill('lin@example.com')
    await own.page.locator('[data-test=send-code]').click()
    await own.page.getByText('Sent to lin@example.com').waitFor()
    await until(() => mails.length === 1)
    const [, code = ''] = /code is ([0-9a-z]{4}-[0-9a-z]{4})/.exec(mails[0]!.text) ?? []
    await field(own.page, 'verification_code').fill(code)
    await own.picture('challenge-register-dark')
    t.strictSame(await findings(own.page), [])
    await giveIn(own.page, 'lin')
    await own.page.waitForURL('**/dashboard')
    t.same(numbers('/register'), ['1', '2', '3'])

    await own.open('/profile')
    const mine = own.page.locator('[data-test=email]')
    await field(own.page, 'email').fill('lin@other.example')
    await mine.locator('button[type=submit]').first().click()
    await mine.getByText('lin@other.example').waitFor()
    await until(() => mails.length === 2)
    await own.context.close()

    const lost = await newcomer(testGateway, {
      viewport: { width: 390, height: 844 },
      locale: 'zh-CN',
    })
    await lost.open('/reset')
    await comes(lost.page, "window.stub?.terms.language === 'zh-cn'")
    await field(lost.page, 'email').fill('lin@example.com')
    await submit(lost.page).click()
    await lost.page.locator('[data-test=sent]').waitFor()
    await until(() => mails.length === 3)
    await lost.picture('challenge-reset-phone')
    const over = await tooWide(lost.page)
    t.equal(over, 0)
    await lost.context.close()
  })

  await t.test('[AUTH-7] a passkey shows a token before the device is queried', async (t) => {
    const at = gateway.url.replace('127.0.0.1', 'localhost')
    await admin.option('ServerAddress', at)
    const own = await newcomer(testGateway)
    own.expectError(/status of 403/)
    await passkeyDevice(own.page)
    await own.page.goto(`${at}/login?redirect=%2Fprofile%2Fsecurity`)
    await giveIn(own.page, 'ada')
    await addPasskey(own.page, 'Laptop', password)
    await own.context.clearCookies()
    await own.page.goto(`${at}/login`)
    await comes(own.page, 'window.stub?.terms !== undefined')
    await own.page.evaluate("stub.byHand = true, stub.terms['expired-callback']()")
    const before = shown.length
    await own.page.getByTestId('passkey').click()
    await own.page.getByText('Solve the challenge to go on.').waitFor()
    t.equal(shown.length, before)
    await own.page.evaluate('stub.solve()')
    await own.page.waitForURL('**/dashboard')
    t.equal(shown.length, before + 1)
    await own.context.close()
  })

  await t.test('[AUTH-7] a script that does not come is stated, and requested again', async (t) => {
    const own = await guest(t, testGateway)
    own.expectError(/status of 401|ERR_FAILED/)
    const blocked = (address: URL) => address.origin === origin
    await own.page.route(blocked, (route) => route.abort())
    await own.open('/login')
    await own.page.getByText('The bot challenge could not be loaded.').waitFor()
    await giveIn(own.page, 'ada')
    await own.page.locator('form > .problem [data-test=problem]').waitFor()
    await own.page.unroute(blocked)
    await serve(own.page)
    await own.page.getByRole('button', { name: 'Try again' }).click()
    await comes(own.page, 'window.stub?.terms !== undefined')
    await submit(own.page).click()
    await own.page.waitForURL('**/dashboard')
    await own.context.close()
    t.equal((await management(gateway.url).login('ada', password)).status, 403)
  })

  async function newcomer(at: Console, options: Parameters<typeof guest>[2] = {}) {
    const own = await guest(t, at, options)
    own.expectError(/status of 401/)
    await serve(own.page)
    return own
  }
})

/** As the page would ask itself; its policy lets nothing poll that is made of text. */
async function comes(page: Page, expression: string): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`${expression} did not come to pass`)
  }
}

async function serve(page: Page): Promise<void> {
  await page.route(`${origin}/**`, (route) => {
    const isScript = new URL(route.request().url()).pathname === '/turnstile/v0/api.js'
    return route.fulfill(
      isScript
        ? { contentType: 'text/javascript', body: stub }
        : { contentType: 'text/html', body: widget },
    )
  })
}
