// The API's browser. Calls that change something carry the CSRF token, as the pages' forms do.
"use strict";

const place = document.getElementById("api-browser");
const cookie = (name) => document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

// Only the calls and the sign-in, inside the page's own frame and below its own headings.
const calls = (system) => ({
  components: {
    Calls: ({ getComponent }) => {
      const part = (name) => system.React.createElement(getComponent(name, true), { key: name });
      const parts = ["SvgAssets", "AuthorizeBtnContainer", "errors", "operations"].map(part);
      return system.React.createElement("div", { className: "swagger-ui" }, parts);
    },
  },
});

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [calls],
  layout: "Calls",
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  requestInterceptor: (request) => {
    if (!["GET", "HEAD"].includes(request.method ?? "GET") && new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = cookie("csrftoken");
    }
    return request;
  },
});
