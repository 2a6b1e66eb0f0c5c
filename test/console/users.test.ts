/** Users and the audit log in the console: made, found, paid, changed by rank, helped, deleted, and written down. */
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { headsCutOff, look, lookOnPhone, phone, tooWide } from './kit/look.js'
import { loseAnswer } from './kit/lost-answer.js'

const password = 'a long password here'

t.test('an admin looks after users', { skip: noBrowser, timeout: 300_000 }, async (t) => {
  const console = await openConsole(t)
  const { gateway, page, context, open, picture, expectError } = console
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
    t.strictSame(await headsCutOff(page), [], 'each head stands in one line')
    t.equal(await page.getByRole('columnheader', { name: 'Invited by' }).count(), 0)
    await page.getByTestId('columns').click()
    await page.getByRole('checkbox', { name: 'Invited by' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('columnheader', { name: 'Invited by' }).waitFor()
    await picture('users-inviter')
    await page.getByTestId('columns').click()
    await page.getByTestId('reset-columns').click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('columnheader', { name: 'Invited by' }).waitFor({ state: 'detached' })
    await page.locator('input[name=keyword]').fill('ada')
    await page.keyboard.press('Enter')
    await row(page, 'grace').waitFor({ state: 'detached' })
    await row(page, 'ada').getByText('$6.00').waitFor()
    await page.locator('input[name=keyword]').fill('nobody like this')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing found').waitFor()
    await open('/users?order=quota+desc')
    await row(page, 'ada').waitFor()
    const names = await page.locator('tbody tr td:nth-child(3) a').allInnerTexts()
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
    '[BILL-2] a balance is moved once, with a reason and a proof, and states what comes of it',
    async (t) => {
      expectError(/status of 403|ERR_FAILED/)
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
      await page.getByTestId('step-up').waitFor()
      await page.route('**/api/user/manage', loseAnswer, { times: 1 })
      await proveByPassword(page)
      await dialog.getByText('The gateway cannot be reached.').waitFor()
      await dialog.getByTestId('outcome').getByText('$25.00').waitFor()
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

  await t.test('an admin ends the sessions and the access tokens of a user', async (t) => {
    const { id } = await named('lin')
    const lin = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    await signIn(lin.context, gateway.url, { username: 'lin', password })
    const self = () => lin.context.request.get(`${gateway.url}/api/user/self`)
    t.equal((await self()).status(), 200)
    const { knex } = gateway.gateway.service('database')
    await knex('access_tokens').insert({
      ...{ user_id: id, name: 'backup', token_hash: Buffer.alloc(32, 7), scopes: ['all'] },
      ...{ created_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) },
    })
    await open(`/users/${id}`)
    const token = page.getByTestId('access-tokens').locator('li')
    await token.getByText('backup').waitFor()
    await picture('user-entry')
    await token.getByRole('button', { name: 'End the access token backup' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No access tokens.').waitFor()
    await page.getByTestId('end-sessions').click()
    // "Ended." may still stand there from the token.
    const ended = page.waitForResponse(`**/api/user/${id}/sessions`)
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
    t.equal((await ended).status(), 200)
    await page.getByText('Ended.').last().waitFor()
    t.equal((await self()).status(), 401)
  })

  await t.test('of two who edit a user, neither takes back what the other has done', async (t) => {
    const { id } = await named('lin')
    const other = (changes: object) => admin.must('PUT', '/api/user/', { id, ...changes })
    const form = page.getByTestId('user-form')
    await open(`/users/${id}`)
    await form.locator('input[name=display_name]').fill('Lin Yue')
    await other({ group: 'default', display_name: 'Lin' })
    await form.getByTestId('group').getByText('default').waitFor()
    await form.getByText('Somebody made it “Lin” meanwhile.').waitFor()
    await picture('user-meanwhile')
    t.strictSame(await findings(page), [])
    t.equal(await form.locator('input[name=display_name]').inputValue(), 'Lin Yue')
    await form.getByTestId('save').click()
    await page.getByText('Saved.').waitFor()
    t.match(await named('lin'), { display_name: 'Lin Yue', group: 'default', remark: 'Research' })
    await form.getByText('Somebody made it').waitFor({ state: 'detached' })
  })

  await t.test('who lost a way to sign in is helped', async (t) => {
    const { id } = await named('ada')
    const { knex } = gateway.gateway.service('database')
    await knex('users').where({ id }).update({ email: 'ada@example.com', email_verified: true })
    await knex('oauth_identities').insert({
      ...{ user_id: id, provider: 'github', subject: '1815', name: 'ada-l' },
    })
    await knex('totp').insert({ user_id: id, secret_sealed: '', enabled_at: new Date() })
    await knex('passkeys').insert({
      ...{ user_id: id, credential_id: Buffer.from([1]), public_key: Buffer.from([1]) },
      ...{ counter: 0, transports: [], name: '', device_type: 'singleDevice', backed_up: false },
    })
    await open(`/users/${id}`)
    await page.locator('[data-way=email]').getByText('ada@example.com').waitFor()
    await page.locator('[data-way=github]').getByText('ada-l').waitFor()
    await picture('user-ways')
    for (const way of ['email', 'app', 'passkeys']) {
      const line = page.locator(`[data-way=${way}]`)
      await line.getByRole('button').click()
      await page.getByRole('dialog').getByText('It is for people who lost it.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await line.getByRole('button').waitFor({ state: 'detached' })
    }
    for (const table of ['totp', 'passkeys']) {
      t.equal((await knex(table).where({ user_id: id })).length, 0, table)
    }
    t.match(await named('ada'), { email: '', email_verified: false })
    const hash = await knex('users').where({ id }).first('password_hash')
    await knex('users').where({ id }).update({ password_hash: '' })
    await open(`/users/${id}`)
    await page.locator('[data-way=github]').getByRole('button').click()
    await page.getByRole('dialog').getByText('the only way this user signs in').waitFor()
    await picture('user-unbind')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.locator('[data-way=github]').waitFor({ state: 'detached' })
    t.equal((await knex('oauth_identities').where({ user_id: id })).length, 0)
    await knex('users').where({ id }).update(hash)
  })

  await t.test('[AUTH-4] what a rank does not allow is not offered, and why', async (t) => {
    await open('/users')
    await page.getByRole('button', { name: 'More actions for ada' }).click()
    await page.getByRole('menuitem', { name: 'Make an admin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make an admin' }).click()
    await page.getByText('ada is an administrator.').waitFor()
    t.equal((await named('ada')).role, 10)
    const browser = context.browser()!
    const ada = await consoleOf(t, browser, gateway, { signedIn: false })
    await signIn(ada.context, gateway.url, { username: 'ada', password })
    await ada.open('/users')
    t.ok(await ada.page.getByRole('button', { name: 'Balance of grace' }).isDisabled())
    await ada.page.getByRole('button', { name: 'More actions for root' }).click()
    await ada.page.getByText('Delete — You manage users of a lower role only.').waitFor()
    await ada.picture('users-by-admin')
    await ada.open(`/users/${(await named('lin')).id}`)
    const form = ada.page.getByTestId('user-form')
    await form.getByText('Only root may do this.').waitFor()
    t.ok(await ada.page.getByTestId('move').isDisabled())
    t.ok(await form.locator('input[name=display_name]').isEnabled())
    await ada.open('/users/new')
    await ada.page.getByTestId('role').click()
    const roles = ada.page.locator('.n-base-select-option')
    await roles.first().waitFor()
    t.strictSame(await roles.allInnerTexts(), ['User'])
    await ada.open('/users/1')
    await ada.page.getByTestId('user-form').getByText('lower role only').first().waitFor()
    t.ok(await ada.page.getByTestId('delete').isDisabled())
    t.equal(await ada.page.getByTestId('save').count(), 0)
    await ada.picture('user-by-admin')
    t.strictSame(await findings(ada.page), [])
  })

  await t.test(
    'a deletion states what is lost, and the user stays in the list as deleted',
    async () => {
      await open('/users')
      await page.getByRole('button', { name: 'More actions for grace' }).click()
      await picture('users-menu')
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
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
    await page
      .locator('tbody')
      .getByText(/^user 3 · /)
      .first()
      .waitFor()
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

  await t.test('a page of one user looks right in each way', async (t) => {
    await look(t, console, ['/users/2'])
    await page.setViewportSize(phone)
    await lookOnPhone(t, console, ['/users/2'])
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  await t.test('ten thousand of them are read by the page, and found at once', async (t) => {
    const { knex } = gateway.gateway.service('database')
    await knex.raw(`
      INSERT INTO users (username, password_hash, display_name, email, remark)
      SELECT 'person-' || n, '', repeat('名前 ', 12), 'person-' || n || '@example.com', repeat('x', 255)
      FROM generate_series(1, 10000) AS n`)
    await open('/users?size=100')
    await row(page, 'person-10000').waitFor()
    t.equal(await page.locator('tbody tr').count(), 100)
    await picture('users-10000')
    t.equal(await tooWide(page), 0)
    const reads: string[] = []
    page.on('request', (request) => reads.push(new URL(request.url()).pathname))
    await page.locator('.n-pagination-item', { hasText: /^101$/ }).click()
    await row(page, 'root').waitFor()
    await page.locator('input[name=keyword]').fill('person-4711@')
    await page.keyboard.press('Enter')
    await row(page, 'person-4711').waitFor()
    t.equal(await page.locator('tbody tr').count(), 1)
    t.strictSame(
      reads.filter((path) => /\/api\/user\/\d/.test(path)),
      [],
      'no request for each row',
    )
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
