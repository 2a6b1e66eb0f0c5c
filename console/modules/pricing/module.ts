/** Models and what they cost, for everybody. */
import { Tag } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

export default defineModule({
  id: 'pricing',
  routes: [
    {
      path: '/pricing',
      name: 'pricing',
      title: { en: 'Models and prices', zh: '模型与价格' },
      frame: 'site',
      role: 0,
      page: () => import('./pricing-page.vue'),
    },
  ],
  menu: [
    {
      route: 'pricing',
      title: { en: 'Models and prices', zh: '模型与价格' },
      icon: Tag,
      section: 'use',
      order: 60,
      role: 1,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
