/** Entry of the console: texts and status first, then the requested page. */
import './styles/base.css'
import { VueQueryPlugin } from '@tanstack/vue-query'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './shell/app.vue'
import { i18n, loadShellTexts } from './shell/i18n.js'
import { queryOptions } from './shell/queries.js'
import { createConsoleRouter } from './shell/router.js'
import { useSession } from './shell/session.js'
import { useSite } from './shell/site.js'
import { loadTheme } from './shell/theme.js'
import { name } from './ui/name.js'

/** Not awaited at the top of the module: what is fetched here waits for this module to be evaluated. */
async function start(): Promise<void> {
  const app = createApp(App)
  app.use(createPinia())
  // What the first page needs is fetched at once; who is signed in is asked again where that failed.
  await Promise.all([
    loadShellTexts(),
    loadTheme(),
    useSite().load(),
    useSession()
      .verified()
      .catch(() => undefined),
  ])
  app.use(i18n)
  app.use(VueQueryPlugin, queryOptions)
  app.directive('name', name)
  app.use(createConsoleRouter())
  app.mount('#console')
}

void start()
