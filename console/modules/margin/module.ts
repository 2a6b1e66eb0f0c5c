/** What is earned and what it costs upstream. */
import { Scale } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Margin', zh: '毛利' }

export default defineModule({
  id: 'margin',
  routes: [
    {
      path: '/margin',
      name: 'margin',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./margin-page.vue'),
    },
  ],
  menu: [
    {
      ...{ route: 'margin', title, icon: Scale, section: 'use' },
      order: 39,
      role: 10,
      under: 'analytics',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
