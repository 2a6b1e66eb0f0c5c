/** Every page a role can reach from its menu, and every public one, in both themes; on a phone they stand beside. */
import t from 'tap'
import { noBrowser, openConsole } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { guestPages, look, menuOf, publicPages } from './kit/look.js'

t.test('every page behind the sign-in, in light and dark', { skip: noBrowser }, async (t) => {
  const opened = await openConsole(t)
  await furnish(t, opened.gateway)
  const paths = await menuOf(opened)
  t.ok(paths.length > 15)
  await look(t, opened, [...paths, ...publicPages])
})

t.test('every page before the sign-in, in light and dark', { skip: noBrowser }, async (t) => {
  const opened = await openConsole(t, { signedIn: false })
  opened.expectError(/status of 401/)
  await look(t, opened, guestPages, 'guest-')
})
