/** Plans to be bought, and what the caller has of them. */
import { CalendarSync } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

/** The menu is narrow. */
const short = { en: 'Subscriptions', zh: '套餐与订阅' }
const title = { en: 'Plans and subscriptions', zh: '套餐与订阅' }

export default defineModule({
  id: 'subscriptions',
  routes: [
    {
      path: '/subscriptions',
      name: 'subscriptions',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./subscriptions-page.vue'),
    },
  ],
  menu: [
    {
      route: 'subscriptions',
      title: short,
      icon: CalendarSync,
      section: 'account',
      under: 'wallet',
      order: 15,
      role: 1,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
