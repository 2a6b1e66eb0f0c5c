/** What every model costs: the operator's price list. */
import { CircleDollarSign } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Prices', zh: '价格' }

export default defineModule({
  id: 'prices',
  routes: [
    {
      path: '/prices',
      name: 'prices',
      title,
      frame: 'app',
      role: 100,
      page: () => import('./prices-page.vue'),
    },
  ],
  menu: [
    {
      route: 'prices',
      title,
      icon: CircleDollarSign,
      section: 'operate',
      order: 50,
      role: 100,
      under: 'models',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
