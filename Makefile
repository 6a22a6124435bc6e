# A front door over the scripts; `make help` lists it.
.DEFAULT_GOAL := help
.PHONY: help run doctor test smoke format lint docs build web wasm models clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1 \2/' | \
	  while read -r name text; do printf '  make %-8s %s\n' "$$name" "$$text"; done

run: ## set up what is missing and serve the demo page
	./run

doctor: ## what this machine has, what is missing and the command that mends it
	./run doctor

test: ## every test
	./test

smoke: ## the tests that take under a minute once built
	./test --smoke

format: ## put every Swift file into the house style
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples

lint: ## check style and layering
	scripts/lint-imports
	scripts/lint-format

docs: ## check and build the documentation of the Swift products, after a build
	scripts/docs

build: ## the release binary, the face for browsers and the page, without starting
	scripts/setup/only build

wasm: ## the face for browsers
	scripts/setup/only wasm

web: ## the npm package in web/ (then `npm pack` there)
	scripts/setup/only web

models: ## the default models
	scripts/setup/only models

clean: ## remove what was built in this checkout (models and engines stay)
	rm -rf .build web/dist
