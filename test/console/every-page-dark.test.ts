/** Every page a role can reach from its menu, and every public one, in the dark theme. */
import t from 'tap'
import { noBrowser, openConsole } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { guestPages, look, menuOf } from './kit/look.js'

t.test('every page behind the sign-in, in dark', { skip: noBrowser }, async (t) => {
  const dark = await openConsole(t, { theme: 'dark' })
  await furnish(t, dark.gateway)
  await look(t, dark, await menuOf(dark), { name: 'dark' })
})

t.test('every page before the sign-in, in dark', { skip: noBrowser }, async (t) => {
  const dark = await openConsole(t, { theme: 'dark', signedIn: false })
  dark.expectError(/status of 401/)
  await look(t, dark, guestPages, { name: 'guest-dark' })
})
