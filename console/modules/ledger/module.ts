/** The books of the gateway: sums, holds, entries, and whether everything adds up. */
import { Landmark } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Ledger', zh: '账本' }

export default defineModule({
  id: 'ledger',
  routes: [
    {
      path: '/ledger',
      name: 'ledger',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./ledger-page.vue'),
    },
  ],
  menu: [
    {
      route: 'ledger',
      title,
      icon: Landmark,
      section: 'operate',
      order: 70,
      role: 10,
      under: 'orders',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
