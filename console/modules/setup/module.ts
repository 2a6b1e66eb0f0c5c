/** The first start. */
import { defineModule } from '../../shell/module.js'

export default defineModule({
  id: 'setup',
  routes: [
    {
      path: '/setup',
      name: 'setup',
      title: { en: 'Set up', zh: '初始化' },
      frame: 'card',
      role: 0,
      page: () => import('./setup-page.vue'),
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
