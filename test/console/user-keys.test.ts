/** API keys of a user on their page: shown masked, found, switched by those who outrank their owner. */
import t from 'tap'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole, signIn } from './kit/browser.js'
import { inTheme, tooWide } from './kit/look.js'

const password = 'correct horse battery'

t.test('keys of a user', { skip: noBrowser }, async (t) => {
  const { gateway, page, open, picture } = await openConsole(t)
  const { admin } = gateway
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { knex } = gateway.gateway.service('database')
  for (const [username, role] of [
    ['ada', 1],
    ['mallory', 10],
    ['oscar', 10],
  ] as const) {
    await admin.must('POST', '/api/user/', { username, password, role })
  }
  const idOf = async (username: string): Promise<number> =>
    (await admin.must('GET', `/api/user/search?keyword=${username}`)).items[0].id
  const [ada, oscar] = [await idOf('ada'), await idOf('oscar')]

  async function add(userId: number, name: string, fields: object = {}): Promise<number> {
    const key = { key_hash: Buffer.from(name), key_sealed: '', key_tail: 'wxyz' }
    const [row] = await knex('tokens')
      .insert({ user_id: userId, name, ...key, ...fields })
      .returning('id')
    return row.id
  }

  const laptop = await add(ada, 'laptop', { limit_quota: 1_000_000, used: 250_000 })
  const budget = { budget_quota: 500_000, budget_period: 'month', budget_since: new Date() }
  await add(ada, 'build server', budget)
  await add(oscar, 'rotation')
  const row = (id: number) => page.getByTestId(`key-${id}`)
  const stored = async (id: number) => (await knex('tokens').where({ id }).first('status')).status

  await t.test(
    'they are shown masked, with what is left, and lead to log and figures',
    async (t) => {
      await open(`/users/${ada}`)
      const card = page.getByTestId('keys')
      await row(laptop).getByText('$0.50 spent · $1.50 left').waitFor()
      await row(laptop).getByText('sk-************wxyz').waitFor()
      await card.getByText('$1.00 of $1.00 left this month').waitFor()
      t.equal(await card.getByText('rotation').count(), 0, 'none of another')
      const log = row(laptop).getByRole('link', { name: 'Usage log of API key laptop' })
      t.match(await log.getAttribute('href'), /username=ada&token_name=laptop/)
      await picture('user-keys-light')
      t.strictSame(await findings(page), [])
      await inTheme(page, 'dark')
      await picture('user-keys-dark')
      t.strictSame(await findings(page), [])
      await inTheme(page, 'light')
    },
  )

  await t.test(
    'one is switched off after a question, on at once, and both are audited',
    async (t) => {
      const toggle = row(laptop).getByRole('switch', { name: 'API key laptop on' })
      await toggle.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('ada can switch it on again').waitFor()
      t.equal(await stored(laptop), 1, 'not before it is confirmed')
      await dialog.getByRole('button', { name: 'Switch off' }).click()
      await row(laptop).locator('[role=switch][aria-checked=false]').waitFor()
      t.equal(await stored(laptop), 2)
      await toggle.click()
      await row(laptop).locator('[role=switch][aria-checked=true]').waitFor()
      t.equal(await stored(laptop), 1)
      const { items } = await admin.must('GET', '/api/audit/?p=1&page_size=10')
      const details = items.map(({ detail }: { detail: string }) => detail)
      t.ok(details.some((text: string) => text.includes(`API key ${laptop} "laptop" off`)))
      t.ok(details.some((text: string) => text.includes(`API key ${laptop} "laptop" on`)))
    },
  )

  await t.test('many are paged, and found by name or number', async (t) => {
    for (let n = 0; n < 11; n++) await add(ada, `spare ${n}`)
    await open(`/users/${ada}`)
    const card = page.getByTestId('keys')
    await card.getByText('spare 10', { exact: true }).waitFor()
    t.equal(await row(laptop).count(), 0, 'on the next page')
    await card.locator('input[name=key]').fill(`#${laptop}`)
    await row(laptop).waitFor()
    t.equal(await card.locator('li').count(), 1)
  })

  await t.test('it fits a phone', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(`/users/${ada}`)
    await page.getByTestId('keys').getByText('spare 10', { exact: true }).waitFor()
    t.equal(await tooWide(page), 0)
    await picture('user-keys-phone')
    t.strictSame(await findings(page), [])
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  await t.test('keys of an equal are shown, and cannot be switched', async (t) => {
    const visitor = await page.context().browser()!.newContext()
    await signIn(visitor, gateway.url, { username: 'mallory', password })
    const theirs = await visitor.newPage()
    await theirs.goto(`${gateway.url}/users/${oscar}`)
    const toggle = theirs.getByRole('switch', { name: 'API key rotation on' })
    await toggle.waitFor()
    t.match(await toggle.getAttribute('class'), /n-switch--disabled/)
    await theirs.getByTestId('keys').getByText('You manage users of a lower role only.').waitFor()
    await visitor.close()
  })

  // What it has spent is in no book, and those are looked at when the gateway ends.
  await knex('tokens').update({ used: 0 })
})
