// The API's browser. Calls that change something carry the CSRF token, as the pages' forms do.
"use strict";

const place = document.getElementById("api-browser");
const cookie = (name) => document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  requestInterceptor: (request) => {
    if (!["GET", "HEAD"].includes(request.method ?? "GET") && new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = cookie("csrftoken");
    }
    return request;
  },
});
