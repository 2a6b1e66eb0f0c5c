/** Redemption codes: root makes them, admins look after them. */
import { Ticket } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Redemption codes', zh: '兑换码' }

export default defineModule({
  id: 'redemption',
  routes: [
    {
      path: '/redemption',
      name: 'redemption',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./codes-page.vue'),
    },
  ],
  menu: [
    {
      route: 'redemption',
      title,
      icon: Ticket,
      section: 'operate',
      order: 65,
      role: 10,
      under: 'orders',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
