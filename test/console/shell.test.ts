/**
 * The shell of the console in a real browser: signing in, the way back, several people and tabs at one browser, menus and
 * the palette by keyboard.
 */
import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { phone } from './kit/look.js'

t.test(
  '[AUTH-8] who has to sign in comes back to the page they requested',
  { skip: noBrowser },
  async (t) => {
    const { page, open, picture, expectError } = await openConsole(t, { signedIn: false })
    expectError(/401/)
    await open('/dashboard?from=link')
    t.match(page.url(), /\/login\?redirect=/)
    await picture('login')
    t.strictSame(await findings(page), [])
    await page.locator('input[name=username]').fill(root.username)
    await page.locator('input[name=password]').fill(root.password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL('**/dashboard?from=link')
    await page.locator('[data-test=balance]').getByText('$20.00').waitFor()
    await picture('dashboard')
    t.strictSame(await findings(page), [])
  },
)

t.test('a browser that several people use', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const { gateway, page, context, open, expectError } = await openConsole(t)
  const { admin } = gateway
  expectError(/status of 40[13]/)
  const ada = { username: 'ada', password: 'a long password here' }
  await admin.must('POST', '/api/user/', ada)
  const seen: Request[] = []
  page.on('request', (request) => seen.push(request))

  await t.test('who signs out in one tab is signed out in the others at once', async (t) => {
    await open('/channels')
    const second = await context.newPage()
    await second.goto('/dashboard')
    await second.getByRole('button', { name: /Account of/ }).click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/login?redirect=/channels&ended=1')
    await second.waitForURL('**/login')
    await second.close()
    await page.goBack()
    await page.waitForURL('**/login**')
    t.equal(await page.getByRole('heading', { name: 'Channels' }).count(), 0, 'nor by going back')
  })

  await t.test('[AUTH-2] nothing is done in the name of who signed in meanwhile', async (t) => {
    await signIn(context, gateway.url, root)
    await open('/tokens/new')
    await page.getByLabel('Name').fill('of root')
    await signIn(context, gateway.url, ada)
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.waitForURL('**/dashboard')
    await page.getByRole('button', { name: 'Account of ada' }).waitFor()
    const made = await context.request.get(`${gateway.url}/api/token/`)
    t.equal((await made.json()).data.total, 0)
    t.notOk((await admin.must('GET', '/api/token/search?keyword=of+root')).items.length)
  })

  await t.test('pages of admins are not for users, and ask for nothing', async (t) => {
    const others = ['/channels', '/users', '/options', '/audit', '/ledger', '/users/1']
    await page.goto('/forbidden')
    await page.getByText('This page is for others').waitFor()
    seen.length = 0
    for (const path of others) {
      await within(page, path)
      await page.getByText('This page is for others').waitFor()
      t.equal(new URL(page.url()).pathname, '/forbidden', path)
    }
    t.strictSame(
      seen.map((request) => new URL(request.url()).pathname).filter((path) => !isPicture(path)),
      [],
    )
  })

  await t.test(
    'what somebody queried in the Playground is theirs, and no secret is kept',
    async (t) => {
      const upstream = await scriptedUpstream(t)
      upstream.script(json(200, chat.whole('The answer.', 5, 5)))
      const channel = { type: 1, key: 'k', base_url: upstream.url, group: 'default' }
      await admin.channel({ ...channel, name: 'one', models: 'gpt-4o-mini' })
      await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
      await signIn(context, gateway.url, root)
      await open('/playground')
      await page.locator('[data-test=model]').getByText('gpt-4o-mini').waitFor()
      await page.locator('[data-test=message] textarea').fill('A question of root')
      await page.locator('[data-test=message] textarea').press('Enter')
      await page.getByText('The answer.').waitFor()
      const { key } = await admin.token({ name: 'shown' })
      await open('/tokens')
      await page.getByRole('button', { name: 'How to use shown' }).click()
      await page.getByTestId('reveal').click()
      await page
        .getByText(`sk-${key.replace(/^sk-/, '')}`)
        .first()
        .waitFor()
      const kept = String(
        await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
      )
      t.match(kept, 'A question of root')
      t.notMatch(kept, key.replace(/^sk-/, ''))
      t.notMatch(kept, root.password)
      await signIn(context, gateway.url, ada)
      await open('/playground')
      await page.locator('[data-test=message] textarea').waitFor()
      t.equal(await page.getByText('A question of root').count(), 0)
    },
  )
})

function isPicture(path: string): boolean {
  return path.endsWith('.svg')
}

/** Goes to a page without loading the console anew. */
async function within(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `(() => { history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate', { state: {} })) })()`,
  )
}

t.test('the shell by keyboard and screen reader', { skip: noBrowser }, async (t) => {
  const { page, open, picture } = await openConsole(t)
  const focused = () => page.evaluate('document.activeElement.outerHTML.slice(0, 200)')
  await open('/dashboard')

  await t.test('menus open, move, choose and close, and give the focus back', async (t) => {
    const theme = page.getByRole('button', { name: 'Theme' })
    await theme.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'Theme' })
    await menu.waitFor()
    await picture('theme-menu')
    t.equal(await theme.getAttribute('aria-expanded'), 'true')
    t.match(await focused(), /As the system/, 'what holds is where one begins')
    t.strictSame(await findings(page), [])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    t.match(await focused(), 'data-test="theme"')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.locator('html[data-theme=dark]').waitFor()
    t.match(await focused(), 'data-test="theme"')
    await page.getByRole('button', { name: 'Language' }).press('ArrowDown')
    await page.getByRole('menuitemradio', { name: '中文' }).press('Enter')
    await page.locator('html[lang=zh]').waitFor()
    await page.getByTestId('language').press('ArrowDown')
    await page.getByRole('menuitemradio', { name: 'English' }).press('Enter')
    await page.getByTestId('person').press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  await t.test('who goes to a page is reported where they are', async (t) => {
    await page.getByRole('link', { name: 'Channels' }).press('Enter')
    await page.locator('h1:focus').filter({ hasText: 'Channels' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-box').waitFor()
    await page.keyboard.type('nothing like this')
    await page.getByRole('status').getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await page.getByTestId('palette-box').waitFor({ state: 'detached' })
    t.match(await focused(), /^<h1/, 'the palette gives the focus back')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/audit')
    await page.locator('h1:focus').waitFor()
  })

  await t.test('the way to the page leads past the menu', async (t) => {
    await page.reload()
    await page.locator('h1').waitFor()
    await page.keyboard.press('Tab')
    t.match(await focused(), 'href="#page"')
    await page.keyboard.press('Enter')
    t.match(await focused(), 'id="page"')
  })

  await t.test('on a phone the menu is a dialog that gives the focus back', async (t) => {
    await page.setViewportSize(phone)
    const button = page.getByRole('button', { name: 'Menu', exact: true })
    await button.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Menu' })
    await sheet.waitFor()
    t.ok(await sheet.locator(':focus').count())
    t.strictSame(await findings(page), [])
    await picture('phone-menu')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    t.match(await focused(), 'aria-label="Menu"')
  })
})
