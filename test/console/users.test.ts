/** Users and the audit log in the console: made, found, paid, changed by rank, helped, deleted, and written down. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { inTheme, tooWide } from './kit/look.js'

const password = 'a long password here'

t.test('an admin looks after users', { skip: noBrowser, timeout: 150_000 }, async (t) => {
  const console = await openConsole(t)
  const { gateway, page, context, open, picture, expectError } = console
  // Contrast is judged once nothing fades any more.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { admin } = gateway
  await furnish(t, gateway)
  await admin.credit(2, 3_000_000)
  const named = async (username: string) => {
    const { items } = await admin.must('GET', `/api/user/search?keyword=${username}`)
    return items.find((user: { username: string }) => user.username === username)
  }

  await t.test('the table shows, finds and sorts them', async (t) => {
    await open('/users')
    await row(page, 'grace').waitFor()
    await page.getByTestId('factor-tiles').getByText('4', { exact: true }).waitFor()
    await picture('users-light')
    t.strictSame(await findings(page), [])
    await page.locator('input[name=keyword]').fill('ada')
    await page.keyboard.press('Enter')
    await row(page, 'grace').waitFor({ state: 'detached' })
    await row(page, 'ada').getByText('$6.00').waitFor()
    await page.locator('input[name=keyword]').fill('nobody like this')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing found').waitFor()
    await open('/users?order=quota+desc')
    await row(page, 'ada').waitFor()
    const names = await page.locator('tbody tr td:nth-child(2) a').allInnerTexts()
    t.strictSame(names.slice(0, 2), ['root', 'ada'])
    await open('/users?group=vip')
    await row(page, 'ada').waitFor()
    t.equal(await page.locator('tbody tr').count(), 1)
  })

  await t.test(
    'a new user signs in with what was set, and faults stand at their fields',
    async (t) => {
      expectError(/status of 409/)
      await open('/users')
      await page.getByTestId('new').click()
      await page.locator('input[name=username]').fill('ada')
      await page.locator('input[name=password]').fill(password)
      await picture('user-new')
      t.strictSame(await findings(page), [])
      await page.getByTestId('save').click()
      await page.locator('.n-form-item', { hasText: 'User name' }).getByText('taken').waitFor()
      await page.locator('input[name=username]').fill('noor')
      await page.getByTestId('save').click()
      await page.waitForURL(/\/users\/\d+$/)
      await page.getByRole('heading', { name: 'noor' }).waitFor()
      t.match(await named('noor'), { role: 1, group: 'default', quota: 0 })
      const visitor = await page.context().browser()!.newContext()
      await signIn(visitor, gateway.url, { username: 'noor', password })
      await visitor.close()
    },
  )

  await t.test(
    '[BILL-2] a balance is moved once, with a reason and a proof, and says what comes of it',
    async (t) => {
      expectError(/status of 403/)
      const { id } = await named('grace')
      await open('/users')
      await page.getByRole('button', { name: 'Balance of grace' }).click()
      const dialog = page.getByTestId('balance-dialog')
      await dialog.getByTestId('amount').locator('input').fill('12.5')
      await page.keyboard.press('Tab')
      await dialog.getByTestId('outcome').getByText('$12.50').waitFor()
      await dialog.getByText('6,250,000 units').waitFor()
      await picture('balance-dialog')
      t.strictSame(await findings(page), [])
      await dialog.getByRole('button', { name: 'Adjust' }).click()
      await dialog.getByText('needs a reason').waitFor()
      await dialog.locator('input[name=remark]').fill('Refund of invoice 2041')
      await dialog.getByRole('button', { name: 'Adjust' }).click()
      await proveByPassword(page)
      await page.getByText('The balance of grace is $12.50 now.').waitFor()
      await row(page, 'grace').getByText('$12.50').waitFor()
      t.equal((await named('grace')).quota, 6_250_000)
      await open(`/users/${id}`)
      await page.getByTestId('move').click()
      await dialog.getByTestId('mode-subtract').click()
      await dialog.getByTestId('amount').locator('input').fill('20')
      await page.keyboard.press('Tab')
      await dialog.getByText('The wallet holds less than that.').waitFor()
      t.ok(await dialog.getByRole('button', { name: 'Adjust' }).isDisabled())
      await dialog.getByTestId('mode-override').click()
      await dialog.getByTestId('amount').locator('input').fill('1.25')
      await page.keyboard.press('Tab')
      await dialog.locator('input[name=remark]').fill('Agreed on the phone')
      await dialog.getByRole('button', { name: 'Adjust' }).click()
      await proveByPassword(page)
      await page.getByTestId('balance').getByText('$1.25').waitFor()
      t.equal((await named('grace')).quota, 625_000)
    },
  )

  await t.test('an edit sends what was changed, and a user is switched off and on', async (t) => {
    const { id } = await named('lin')
    await open(`/users/${id}`)
    await page.locator('input[name=remark]').fill('Research')
    await page.getByTestId('group').click()
    await page.locator('.n-base-select-option').getByText('vip', { exact: true }).click()
    await page.getByTestId('save').click()
    await page.getByText('Saved.').waitFor()
    t.match(await named('lin'), { remark: 'Research', group: 'vip', display_name: '林月' })
    await picture('user-light')
    t.strictSame(await findings(page), [])
    await page.getByTestId('switch').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByTestId('state').getByText('Off').waitFor()
    t.equal((await named('lin')).status, 2)
    await page.getByTestId('switch').click()
    await page.getByTestId('state').getByText('On').waitFor()
    t.equal((await named('lin')).status, 1)
  })

  await t.test('who lost a way to sign in is helped', async (t) => {
    const { id } = await named('ada')
    const { knex } = gateway.gateway.service('database')
    await knex('users').where({ id }).update({ email: 'ada@example.com', email_verified: true })
    await knex('oauth_identities').insert({
      ...{ user_id: id, provider: 'github', subject: '1815', name: 'ada-l' },
    })
    await open(`/users/${id}`)
    await page.locator('[data-way=email]').getByText('ada@example.com').waitFor()
    await page.locator('[data-way=github]').getByText('ada-l').waitFor()
    await page.locator('[data-way=github]').getByRole('button').click()
    await picture('user-unbind')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.locator('[data-way=github]').waitFor({ state: 'detached' })
    t.equal((await knex('oauth_identities').where({ user_id: id })).length, 0)
  })

  await t.test('[AUTH-4] what a rank does not allow is not offered, and why', async (t) => {
    await open('/users')
    await page.getByRole('button', { name: 'More actions for ada' }).click()
    await page.locator('.n-dropdown-option').getByText('Make an admin').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make an admin' }).click()
    await page.getByText('ada is an administrator.').waitFor()
    t.equal((await named('ada')).role, 10)
    const browser = context.browser()!
    const ada = await consoleOf(t, browser, gateway, { signedIn: false })
    await ada.page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(ada.context, gateway.url, { username: 'ada', password })
    await ada.open('/users')
    t.ok(await ada.page.getByRole('button', { name: 'Balance of grace' }).isDisabled())
    await ada.page.getByRole('button', { name: 'More actions for root' }).click()
    await ada.page.getByText('Delete — You manage users of a lower role only.').waitFor()
    await ada.picture('users-by-admin')
    await ada.open('/users/1')
    await ada.page.getByTestId('user-form').getByText('lower role only').first().waitFor()
    t.ok(await ada.page.getByTestId('delete').isDisabled())
    t.equal(await ada.page.getByTestId('save').count(), 0)
    await ada.picture('user-by-admin')
    t.strictSame(await findings(ada.page), [])
  })

  await t.test(
    'a deletion says what is lost, and the user stays in the list as deleted',
    async () => {
      await open('/users')
      await page.getByRole('button', { name: 'More actions for grace' }).click()
      await picture('users-menu')
      await page.locator('.n-dropdown-option').getByText('Delete', { exact: true }).click()
      await page.getByRole('dialog').getByText('the balance of $1.25').waitFor()
      await picture('users-delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('grace is deleted.').waitFor()
      await open('/users?status=-1')
      await page.locator('tbody').getByText('Deleted').waitFor()
    },
  )

  await t.test('the audit log tells who did it, and that nobody touched it since', async (t) => {
    await open('/audit')
    await page.locator('tbody').getByText('user 3', { exact: true }).first().waitFor()
    await picture('audit-light')
    t.strictSame(await findings(page), [])
    await page.getByTestId('verify').click()
    await page.getByTestId('verdict').getByText('the chain holds').waitFor()
    await page.locator('tbody .expand-button').first().click()
    await page.getByTestId('entry-detail').getByText('Hash of this entry').waitFor()
    await picture('audit-detail')
    t.strictSame(await findings(page), [])
    await open('/audit?action=user.create')
    await page.getByText('Nothing found').or(page.locator('tbody tr').first()).first().waitFor()
    await open('/audit?actor=nobody')
    await page.getByText('Nothing found').waitFor()
  })

  await t.test('it looks right in the dark and on a phone', async (t) => {
    await inTheme(page, 'dark')
    for (const [path, name] of [
      ['/users', 'users-dark'],
      ['/users/2', 'user-dark'],
      ['/audit', 'audit-dark'],
    ] as const) {
      await open(path)
      await page.waitForLoadState('networkidle')
      await picture(name)
      t.strictSame(await findings(page), [])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [path, name] of [
      ['/users', 'users-phone'],
      ['/users/1', 'user-phone'],
      ['/audit', 'audit-phone'],
    ] as const) {
      await open(path)
      await page.waitForLoadState('networkidle')
      await picture(name)
      const wide = await tooWide(page)
      t.ok(wide === 0, `${path} is ${wide} pixels too wide`)
    }
  })
})

function row(page: Page, name: string): Locator {
  return page.locator('tbody tr').filter({ has: page.getByRole('link', { name, exact: true }) })
}

async function proveByPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Is it really you?' })
  await dialog.locator('input[type=password]').fill(root.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}
