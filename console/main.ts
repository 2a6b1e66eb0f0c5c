/** Entry of the console: texts and status first, then the requested page. */
import './styles/base.css'
import { VueQueryPlugin } from '@tanstack/vue-query'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './shell/app.vue'
import { i18n, loadShellTexts } from './shell/i18n.js'
import { queryOptions } from './shell/queries.js'
import { createConsoleRouter } from './shell/router.js'
import { name } from './ui/name.js'

await loadShellTexts()
const app = createApp(App)
app.use(createPinia())
app.use(i18n)
app.use(VueQueryPlugin, queryOptions)
app.directive('name', name)
app.use(createConsoleRouter())
app.mount('#console')
